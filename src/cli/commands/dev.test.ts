import { beforeEach, expect, onTestFinished, test } from "vitest"
import { run } from "../../../test/terminal.js"
import { avaxText } from "../../core/lib/avaxText.js"
import { printRfc3339 } from "../../core/lib/go/rfc3339.js"
import { type Devnet, startDevnet } from "../../devnet/devnet.js"

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
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
    /^Clock +2030-03-\d\dT\S+Z\nChain time +2030-03-\d\dT\S+Z\nHeight +\d+\nBlocks made +\d+\nRewards paid +1\n\n +Reward +To +For the stake\n *\S+ AVAX +P-local1\S+ +\w+\n$/,
  )
  const { rewards } = await devnet.rpc("platform.getRewardsByAddress", { address: EWOQ })
  expect(stdout).toContain(`${avaxText(rewards[0]?.amount ?? 0n)}  ${EWOQ}  ${rewards[0]?.stakerTxID}\n`)
  const after = await devnet.dev.status()
  expect(devnet.now()).toBe(clock + 5_400n + 172_800n)
  expect(stdout).toContain(`Height        ${after.height}\nBlocks made   ${after.height - height}\n`)
})

test.each([
  [["dev", "advance", "14"], /^serac: cli\.bad_duration: .*\(duration: 14\)\n$/],
  [["dev", "advnace", "14d"], /^serac: cli\.unknown_action: .*\(command: dev, action: advnace\)\. Did you mean advance\?\n$/],
  [["dev", "bogus"], /^serac: cli\.unknown_action: .*known: advance mine mode fund accounts snapshot revert reset status\)\n$/],
  [["dev", "fund", FRIEND], /^serac: cli\.missing_argument: .*\(command: dev fund, takes: ADDRESS AMOUNT\)\n$/],
  [["dev", "reset", "now"], /^serac: cli\.extra_argument: .*\(argument: now\)\n$/],
  [
    ["dev", "mode", "often"],
    /^serac: cli\.param_value: .*\(param: mode, value: often, expected: one of auto, interval, manual\)\n$/,
  ],
  [["dev", "mine", "few"], /^serac: cli\.param_value: .*\(param: blocks, value: few, expected: an integer\)\n$/],
  [["dev", "advance", "200000d"], /^serac: producer\.time_span_too_long: .*`force` allows it, on the command line --force.*\n$/],
  [["address", `0x${"5a".repeat(20)}`], /^serac: platform\.bad_address: .*reason: it is an address of EVM chains; .*\n$/],
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

test("the accounts are listed with their keys, also in the form of EVM wallets", async () => {
  expect(await serac("dev", "accounts")).toEqual(
    shown(`ewoq  P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u  30,000,000 AVAX
      EVM  0x8db97C7cEcE249c2b98bDC0226Cc4C2A57BF52FC
      Key  PrivateKey-ewoqjP7PxY4yr3iLTpLisriqt94hdyDFNgchSxGGztUrTXtNN
      Hex  0x56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027
vmRQ  P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2  0 AVAX
      EVM  0x1f0e5C64AFdf53175f78846f7125776E76FA8F34
      Key  PrivateKey-vmRQiZeXEXYMyJhEiqdC2z5JhuDbxL8ix9UVvjgMu2Er1NepE
      Hex  0x7a14fdf6bb1d53e28384f70209280dd8848bdc96b5f9eb7fdde9fcddc7ef1a0d
`),
  )
  const other = await startDevnet({ accounts: 2 })
  onTestFinished(() => other.stop())
  const { stdout } = await run(["dev", "accounts", "--url", other.url])
  expect(stdout.match(/^\S+ +P-\S+/gm)).toEqual([
    `(0)   ${other.accounts[0]?.address}`,
    `(1)   ${other.accounts[1]?.address}`,
    "ewoq  P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u",
    "vmRQ  P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2",
  ])
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

test("blocks are made on request, and the status says so", async () => {
  expect(await serac("dev", "mode", "manual")).toEqual(shown("Blocks  manual\n"))
  await devnet.dev.snapshot()
  await devnet.dev.mine({ filler: true })
  expect(await serac("dev", "mine")).toEqual(shown("Height       1\nBlocks made  0\n"))
  expect(await serac("dev", "mine", "3", "--json")).toEqual(shown('{"height":"1","blocks":0}\n'))
  expect(await serac("dev", "mode", "interval", "5")).toEqual(shown("Blocks  interval 5\n"))
  expect((await serac("dev", "status")).stdout).toMatch(
    /^Clock +2030-03-17T17:46:40Z, frozen\nChain time +\S+\nHeight +1\nBlocks +interval 5\nMempool +0\nSnapshots +1 \(height 0\)\n$/,
  )
  expect(await serac("dev", "reset")).toEqual(shown("Height  0\n"))
})

test("a short form does what its action does", async () => {
  expect(await serac("dev", "snapshot", "--json")).toEqual(shown('{"id":1,"height":"0"}\n'))
  expect(await serac("snapshot", "--json")).toEqual(shown('{"id":2,"height":"0"}\n'))
  expect(await serac("dev", "revert", "1")).toEqual(await serac("revert", "1"))
})

test("the address of a node may be given without http://", async () => {
  const { stdout, code } = await run(["dev", "status", "--json", "--url", devnet.url.replace("http://", "")])
  expect([code, JSON.parse(stdout).blockMode]).toEqual([0, { mode: "auto" }])
  for (const url of ["ftp://127.0.0.1:9650", "http://", "a b"]) {
    const refused = await run(["dev", "status", "--url", url])
    expect(refused.stderr).toMatch(/^serac: cli\.flag_value: .*127\.0\.0\.1:9650/)
  }
})
