import { expect } from "vitest"
import type { Block } from "../../src/core/blocks/block.js"
import type { Json } from "../../src/core/lib/json.js"
import { toHexText } from "../../src/core/types/hexText.js"
import type { ServedChain } from "../../src/node/serve.js"
import { platformMethods } from "../../src/services/platform/index.js"
import type { ReadChain } from "../fixtures/readModel.js"
import { ask } from "../fixtures/readServer.js"
import { type TestNode, testNode } from "../fixtures/rpcNode.js"
import { readRecording } from "../recordings/recordings.js"

interface Call {
  readonly method: string
  readonly params: { readonly [name: string]: Json }
}

/** Methods whose answer is random or depends on the node. */
const OTHERS: ReadonlySet<string> = new Set(["platform.sampleValidators", "platform.issueTx"])

/** The recorded calls of a chain, with the answers of a node that has a whole store; test/golden holds those to the recorded ones. */
export class RecordedAnswers {
  readonly #calls: readonly Call[]
  readonly #node: TestNode

  /** `chain`: the whole chain in a store. */
  constructor(folder: string, { store, rules, genesis }: Pick<ReadChain, "store" | "rules" | "genesis">) {
    this.#node = testNode({ store, rules, genesis, methods: platformMethods, port: { uptimeOf: () => undefined } })
    const names = new Set(platformMethods.map(({ name }) => name as string))
    const { calls } = readRecording<{ calls: readonly Call[] }>(`golden/${folder}/record.json`)
    this.#calls = calls.filter(({ method }) => names.has(method) && !OTHERS.has(method))
    expect(this.#calls.length).toBeGreaterThan(10)
  }

  /** Compares the answers of servers that have the whole chain: the servers are asked in turn, for every call or each `step`-th one. */
  async compare(servers: readonly ServedChain[], step = 1): Promise<void> {
    for (let i = 0; i < this.#calls.length; i += step) {
      await this.#compareCall(this.#calls[i] as Call, servers[(i / step) % servers.length] as ServedChain)
    }
  }

  async #compareCall({ method, params }: Call, server: ServedChain): Promise<void> {
    const { result, error } = await ask(server, method, params).then(({ body }) => body)
    const expected = await this.#node.call(method, params)
    expect({ method, params, result: plain(result), error: plain(error) }).toEqual({
      method,
      params,
      result: plain(expected.result),
      error: plain(expected.error),
    })
  }
}

const plain = (value: unknown) =>
  JSON.parse(JSON.stringify(value ?? null, (_, each) => (typeof each === "bigint" ? String(each) : each)))

/** A server that has reached a block returns it as it was published. */
export async function expectBlock(server: ServedChain, block: Block): Promise<void> {
  const { status, body } = await ask(server, "platform.getBlockByHeight", { height: String(block.height), encoding: "hex" })
  if (status === 503) return
  // The server has not read the block yet.
  if (body.error) return expect(body.error.message).toContain("not found")
  expect(body.result.block).toBe(toHexText(block.bytes, "hex"))
}
