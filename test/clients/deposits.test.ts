import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { httpClient } from "../../src/client.js"
import { decodeUtxo, fromHexText, idText, utxoID } from "../../src/codec.js"
import { attempts, Random, seed } from "../fuzz/random.js"
import { type BuiltPackage, buildPackage } from "./package.js"

const ADDRESSES = ["P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6", "P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2"] as const

let built: BuiltPackage
const dir = mkdtempSync(join(tmpdir(), "serac-deposits-"))
beforeAll(() => {
  built = buildPackage()
})
afterAll(() => {
  built?.remove()
  rmSync(dir, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A program that can be killed and started again. */
class Killable {
  readonly #args: readonly string[]
  #child: ChildProcess | undefined

  constructor(...args: readonly string[]) {
    this.#args = args
  }

  start(): void {
    this.#child = spawn(process.execPath, this.#args, { stdio: "ignore" })
  }

  async kill(): Promise<void> {
    const child = this.#child as ChildProcess
    const ended = once(child, "close")
    child.kill("SIGKILL")
    await ended
  }
}

test("examples/deposits.js records every deposit once, whatever is killed", async () => {
  const random = new Random(seed("deposits"))
  const url = `http://127.0.0.1:${await freePort()}`
  const file = join(dir, "deposits.json")
  const node = new Killable(
    join(built.dir, "bin/serac"),
    "node",
    "--data-dir",
    join(dir, "chain"),
    "--http-port",
    new URL(url).port,
  )
  const program = new Killable(join(built.dir, "examples/deposits.js"), url, file, ...ADDRESSES)
  const call = httpClient(url)
  node.start()
  program.start()
  try {
    for (let i = attempts(60, 6); i > 0; i--) {
      await vi.waitFor(() => call("platform.getHeight"), { timeout: 30_000 })
      const [address, others] = [random.pick(ADDRESSES), random.below(2) === 1]
      // Two owners together are nobody's deposit.
      const owners = others ? { addresses: ADDRESSES, threshold: 2 } : { address }
      const paid = call("dev.fund", { ...owners, amount: BigInt(1 + random.below(1_000)) * 1_000_000n })
      const killed = random.pick([[], [node], [program], [node, program]])
      // A node that is killed meanwhile may have made the payment or not.
      const ended = paid.catch(() => {})
      if (random.below(2) === 1) await paid
      await Promise.all(killed.map((each) => each.kill()))
      await ended
      for (const each of killed) each.start()
    }
    const height = await vi.waitFor(async () => (await call("platform.getHeight")).height, { timeout: 30_000 })
    const read = () => JSON.parse(existsSync(file) ? readFileSync(file, "utf8") : "{}")
    await vi.waitFor(() => expect(read().after).toMatch(new RegExp(`^${height}-`)), { timeout: 30_000 })
    const { utxos } = await call("platform.getUTXOs", { addresses: ADDRESSES, encoding: "hex" })
    const expected = utxos.map((text) => decodeUtxo(fromHexText(text)))
    const own = expected.flatMap(({ txID, outputIndex, output }) =>
      "amount" in output && output.threshold === 1 ? [[idText(utxoID(txID, outputIndex)), String(output.amount)]] : [],
    )
    const recorded = Object.entries<{ amount: string }>(read().deposits).map(([id, { amount }]) => [id, amount])
    expect(own.length).toBeGreaterThan(0)
    expect(recorded.sort()).toEqual(own.sort())
  } finally {
    await Promise.all([node.kill(), program.kill()])
  }
}, 240_000)
