import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Invalid } from "../../src/core/lib/invalid.js"
import type { Tx } from "../../src/core/txs/tx.js"
import { toHexText } from "../../src/core/types/hexText.js"
import { idText } from "../../src/core/types/id.js"
import { httpClient } from "../../src/node/client.js"
import { buildSerac } from "../cli/serac.js"
import { changeOf, firstUnspent, localNetwork, payment } from "../fixtures/longChain.js"
import { attempts, Random, seed } from "../strangers/random.js"

const folder = mkdtempSync(join(tmpdir(), "serac-kill-"))
let built: ReturnType<typeof buildSerac>

beforeAll(() => {
  built = buildSerac()
})
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the node as a user would, and waits until it answers. */
async function start(): Promise<{ child: ChildProcess; url: string }> {
  // Gas for all, at the lowest price: the payments offer no more.
  const limits = ["max-gas-capacity", "max-gas-per-second", "target-gas-per-second"].map(
    (name) => `--dynamic-fees-${name}=1000000000`,
  )
  const args = ["--data-dir", folder, "--http-port", "0", "--json", "--log-level", "error", ...limits]
  const child = spawn(process.execPath, [built.bin, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await once(child.stdout as NodeJS.ReadableStream, "data")
  return { child, url: JSON.parse(String(line)).url }
}

const kills = attempts(100)

test(`a node that is killed while transactions are issued keeps every one it answered for, ${kills} times`, async () => {
  const random = new Random(seed("moments of killing a node"))
  const { rules } = localNetwork()
  const answered: string[] = []
  let unspent = firstUnspent
  let asked: Tx | undefined
  for (let round = 0; round < kills; round++) {
    const { child, url } = await start()
    const call = httpClient(url)
    for (const txID of answered.slice(-50)) {
      expect(await call("platform.getTxStatus", { txID }), `round ${round}, ${txID}`).toEqual({ status: "Committed" })
    }
    // The last one may have been accepted without anyone being told.
    if (asked && (await call("platform.getTxStatus", { txID: idText(asked.id) })).status === "Committed") {
      answered.push(idText(asked.id))
      unspent = changeOf(asked)
    }
    expect(await call("platform.getHeight")).toEqual({ height: String(answered.length) })
    const ended = once(child, "exit")
    setTimeout(() => child.kill("SIGKILL"), random.below(250))
    for (;;) {
      asked = payment(unspent, rules)
      try {
        await call("platform.issueTx", { tx: toHexText(asked.bytes) })
      } catch (error) {
        // A node that is gone does not answer; one that refuses has lost something.
        if (error instanceof Invalid) throw error
        break
      }
      answered.push(idText(asked.id))
      unspent = changeOf(asked)
      asked = undefined
    }
    await ended
  }
  expect(answered.length).toBeGreaterThan(kills)
}, 600_000)
