import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { silentLog } from "../../core/lib/log.js"
import { startDevnet } from "../../devnet/devnet.js"
import { startServing } from "../../sources/served/serve.js"

/** A chain of two blocks, and a fork of it with one block more and one override. */
const dir = mkdtempSync(join(tmpdir(), "serac-fork-directories-"))
const [base, fork] = [join(dir, "base-chain"), join(dir, "forked")]
const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const options = { port: false as const, startTime: 1_900_000_000n, freezeTime: true }

beforeAll(async () => {
  const chain = await startDevnet({ ...options, dataDir: base, accounts: 1 })
  await chain.dev.pay({ from: chain.keys[2]!.address, to: FRIEND, amount: 5_000_000_000n })
  await chain.stop()
  const forked = await startDevnet({ port: false, freezeTime: true, fork: base, dataDir: fork })
  await forked.dev.pay({ from: forked.keys[0]!.address, to: FRIEND, amount: 7_000_000_000n })
  await forked.dev.impersonate({ addresses: [FRIEND] })
  await forked.stop()
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const stateOf = async (dataDir: string) => JSON.parse((await run(["state", "--data-dir", dataDir, "--json"])).stdout)

test("state shows the fork with the chain below it", async () => {
  const [below, above] = [await stateOf(base), await stateOf(fork)]
  expect([below.height, above.height, above.overrides.length]).toEqual(["2", "3", 1])
  expect(above.genesisBlockID).toBe(below.genesisBlockID)
  expect(above.digest).not.toEqual(below.digest)
})

test("export writes the blocks of both, which a replay executes to the same state", async () => {
  const { code, stdout } = await run(["export", "blocks", "--data-dir", fork, "--from", "1"])
  const words = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0]!)
  const kinds = words.map((word) => (word.startsWith("0x") ? "block" : word))
  expect([code, kinds]).toEqual([0, ["chain", "genesis", "block", "block", "block", "override"]])
  const rows = (await run(["export", "utxos", "--data-dir", fork])).stdout
  expect(
    rows
      .match(/"amount":"?(5|7)000000000\b/g)
      ?.map((each) => each.replace(/\D/g, ""))
      .sort(),
  ).toEqual(["5000000000", "7000000000"])
  const [file, copy] = [join(dir, "blocks.txt"), join(dir, "replayed")]
  writeFileSync(file, stdout)
  expect(await run(["replay", "--blocks", file, "--data-dir", copy])).toMatchObject({ code: 0 })
  expect((await stateOf(copy)).digest).toEqual((await stateOf(fork)).digest)
})

test("a backup of a fork is a chain of its own, with the same state", async () => {
  const copy = join(dir, "copied")
  expect(await run(["backup", "--data-dir", fork, copy])).toMatchObject({ code: 0, stdout: "copied up to height 3\n" })
  const [{ digest, overrides }, { digest: copied, overrides: kept }] = [await stateOf(fork), await stateOf(copy)]
  expect([copied, kept]).toEqual([digest, overrides])
})

test.each([false, true])("serve answers for the fork (public: %s)", async (isPublic) => {
  const node = await startServing({
    dataDir: fork,
    dialect: "contract",
    isPublic,
    log: silentLog,
    wall: () => Date.now(),
  })
  const call = { jsonrpc: "2.0", id: 1, method: "platform.getBalance", params: { addresses: [FRIEND] } }
  const reply = await node.api.handle("/ext/bc/P", Buffer.from(JSON.stringify(call)))
  const { result } = JSON.parse(Buffer.concat(reply?.body ?? []).toString()) as { result: { balance: string } }
  expect([node.height(), result.balance]).toEqual([3n, "12000000000"])
  await node.stop()
})

test.each([["repair"], ["replay", "--blocks", "package.json"], ["state", "--check"]])(
  "%s refuses a fork, and says what to do",
  async (...words) => {
    const { code, stderr } = await run([...words, "--data-dir", fork])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^serac: node\.is_a_fork: .*serac backup.*\(dataDir: .*forked\)\n$/),
    ])
    expect(existsSync(join(fork, "chain"))).toBe(false)
  },
)
