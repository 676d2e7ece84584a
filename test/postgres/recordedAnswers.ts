import { expect } from "vitest"
import type { Block } from "../../src/core/blocks/block.js"
import { toHexText } from "../../src/core/types/hexText.js"
import type { Node } from "../../src/node/node.js"
import { ask } from "../fixtures/readServer.js"
import { comparableCalls, expectRecorded } from "../fixtures/recordedAnswers.js"

/** Read servers that have a whole recorded chain give AvalancheGo's answers. They are asked in turn, every call or each `step`-th one. */
export async function expectRecordedAnswers(folder: string, servers: readonly Node[], step = 1): Promise<void> {
  const calls = comparableCalls(folder).filter((_, i) => i % step === 0)
  expect(calls.length).toBeGreaterThan(10)
  for (const [i, call] of calls.entries()) {
    const { body } = await ask(servers[i % servers.length] as Node, call.method, call.params)
    expectRecorded(call, body)
  }
}

/** A server that has reached a block returns it as it was published. */
export async function expectBlock(server: Node, block: Block): Promise<void> {
  const { status, body } = await ask(server, "platform.getBlockByHeight", { height: String(block.height), encoding: "hex" })
  if (status === 503) return
  // The server has not read the block yet.
  if (body.error) return expect(body.error.message).toContain("not found")
  expect(body.result.block).toBe(toHexText(block.bytes, "hex"))
}
