import { beforeEach, expect, onTestFinished, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { type Devnet, startDevnet } from "../../node/devnet.js"

const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
let devnet: Devnet

beforeEach(async () => {
  devnet = await startDevnet({ accounts: 0, startTime: 1_900_000_000n, freezeTime: true })
  onTestFinished(() => devnet.stop())
})

const serac = (...words: readonly string[]) => run([...words, "--url", devnet.url])
const shown = (stdout: string) => ({ code: 0, stdout, stderr: "" })
const refused = (stderr: string) => ({ code: 1, stdout: "", stderr: `serac: ${stderr}\n` })

test("the clock advances by a duration, and the rewards on the way are printed", async () => {
  await devnet.dev.addValidators({ count: 1, duration: 86_400 })
  const { height } = await devnet.dev.status()
  const clock = devnet.now()
  expect(await serac("dev", "advance", "1h30m", "--json")).toEqual(
    shown(expect.stringMatching(new RegExp(`^{"clock":"${printRfc3339(clock + 5_400n)}",.*"blocks":0,"rewarded":0,`))),
  )
  const { stdout } = await serac("dev", "advance", "2d")
  expect(stdout).toMatch(
    /^Clock +2030-03-\d\dT\S+Z\nChain time +2030-03-\d\dT\S+Z\nHeight +\d+\nBlocks made +\d+\nRewards paid +1\n$/,
  )
  const after = await devnet.dev.status()
  expect(devnet.now()).toBe(clock + 5_400n + 172_800n)
  expect(stdout).toContain(`Height        ${after.height}\nBlocks made   ${after.height - height}\n`)
})

test.each([
  [["dev", "advance", "14"], /^serac: cli\.bad_duration: .*\(duration: 14\)\n$/],
  [["dev", "advnace", "14d"], /^serac: cli\.unknown_action: .*\(command: dev, action: advnace\)\. Did you mean advance\?\n$/],
  [["dev", "advance", "200000d"], /^serac: producer\.time_span_too_long: .*\n$/],
  [["fund", FRIEND, "5"], /^serac: cli\.bad_amount: .*\(amount: 5\)\n$/],
  [["revert", "first"], /^serac: cli\.param_value: .*\(param: id, value: first, expected: an integer\)\n$/],
])("%j is refused", async (words, line) => {
  expect(await serac(...words)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(line) })
})

test("an address is funded by an amount with its unit", async () => {
  const { stdout } = await serac("fund", FRIEND, "5avax")
  const { txs } = await devnet.rpc("platform.getTxsByAddress", { address: FRIEND })
  expect(stdout).toMatch(/\nUTXO {9}\w{48,51}\n$/)
  expect(stdout).toContain(`Address      ${FRIEND}\nAmount       5 AVAX\nTransaction  ${txs[0]?.txID}\n`)
  expect(JSON.parse((await serac("fund", FRIEND, "7navax", "--json")).stdout)).toEqual({
    txID: expect.any(String),
    utxoID: expect.any(String),
  })
  expect(await devnet.rpc("platform.getBalance", { addresses: [FRIEND] })).toMatchObject({ balance: 5_000_000_007n })
})

test("a chain is reverted to a snapshot", async () => {
  expect(await serac("snapshot")).toEqual(shown("Snapshot  1\nHeight    0\n"))
  await devnet.dev.mine({ blocks: 3, filler: true })
  expect(await serac("snapshot", "--json")).toEqual(shown('{"id":2,"height":"3"}\n'))
  expect(await serac("revert", "1")).toEqual(shown("Height  0\n"))
  expect(await devnet.dev.status()).toMatchObject({ height: 0n })
  expect(await serac("revert", "1", "--json")).toEqual(shown('{"height":"0"}\n'))
  expect(await serac("revert", "2")).toEqual(refused("producer.unknown_snapshot: no snapshot has this ID (id: 2, known: [1])"))
})
