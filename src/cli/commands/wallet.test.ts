import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, expect, onTestFinished, test } from "vitest"
import { startTestProxy } from "../../../test/sync/followNodes.js"
import { run } from "../../../test/terminal.js"
import { RemoteWallet } from "../../client/remoteWallet.js"
import { parseAvax } from "../../core/types/parseAvax.js"
import { type Devnet, startDevnet } from "../../devnet/devnet.js"

const FRIEND = "P-local1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3dv8dg6"
const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"
const NODE = "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"
let devnet: Devnet

beforeEach(async () => {
  devnet = await startDevnet({ accounts: 0, startTime: 1_900_000_000n, freezeTime: true })
  onTestFinished(() => devnet.stop())
})

const serac = (...words: readonly string[]) => run([...words, "--url", devnet.url])

test("a payment is signed here, and the node accepts it", async () => {
  const { stdout, stderr, code } = await serac("send", FRIEND, "5avax")
  const { txs } = await devnet.rpc("platform.getTxsByAddress", { address: FRIEND })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toBe(
    `From         ${EWOQ}\nTo           ${FRIEND}\nAmount       5 AVAX\nTransaction  ${txs[0]?.txID}\nStatus       Committed\n`,
  )
  expect(await devnet.rpc("platform.getBalance", { addresses: [FRIEND] })).toMatchObject({ balance: 5_000_000_000n })
})

test("a payment is not waited for if the user says so", async () => {
  const manual = await startDevnet({ accounts: 0, blockMode: "manual", startTime: 1_900_000_000n, freezeTime: true })
  onTestFinished(() => manual.stop())
  const { stdout, stderr } = await run(["send", FRIEND, "5avax", "--json", "--url", manual.url, "--no-wait"])
  expect([JSON.parse(stdout).status, stderr]).toEqual(["Processing", ""])
})

test("a key stakes for a validator, after the clock has moved on", async () => {
  await devnet.dev.advanceTime({ seconds: 3_600 })
  const { stdout } = await serac("stake", "25avax", "14d", "--node", NODE, "--json")
  const { txID, status } = JSON.parse(stdout)
  expect(status).toBe("Committed")
  const { stakes } = await devnet.rpc("platform.getStakesByAddress", { address: EWOQ })
  expect(stakes[0]).toMatchObject({ txID, nodeID: NODE, role: "delegator", amount: 25_000_000_000n, state: "active" })
})

const GENEROUS = "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"

test("a stake prints its fee, its end and its expected reward first, and exactly this reward is paid", async () => {
  const { stdout } = await serac("stake", "25avax", "14d", "--node", GENEROUS)
  const { stakes } = await devnet.rpc("platform.getStakesByAddress", { address: EWOQ })
  expect(stdout.replace(/\S+( AVAX, after)/, "N$1").replace(/(Fee +)\S+/, "$1N")).toBe(`From             ${EWOQ}
Node             ${GENEROUS}
Amount           25 AVAX
Ends             2030-03-31T17:46:40Z
Fee              N AVAX
Expected reward  N AVAX, after the validator's share of 6.25 %
Transaction      ${stakes[0]?.txID}
Status           Committed
`)
  const [, reward = ""] = /Expected reward +(\S+) AVAX/.exec(stdout) ?? []
  await devnet.dev.advanceTime({ seconds: 15 * 86_400 })
  const { rewards } = await devnet.rpc("platform.getRewardsByAddress", { address: EWOQ })
  expect(rewards.map(({ amount }) => amount)).toEqual([parseAvax(reward)])
})

test("a stake without a node adds a new validator to a private chain, whose own node validates already", async () => {
  const { stdout, stderr } = await serac("stake", "2000avax", "14d", "--json")
  expect(stderr).toBe("")
  const { nodeID, status, reward } = JSON.parse(stdout)
  expect([status, nodeID === NODE]).toEqual(["Committed", false])
  const { validators } = await devnet.rpc("platform.getCurrentValidators", { nodeIDs: [nodeID] })
  expect(validators[0]).toMatchObject({ weight: 2_000_000_000_000n, potentialReward: BigInt(reward) })
})

test("a new validator has the fee that is named, and the named address gets the rewards", async () => {
  const { stdout } = await serac("stake", "2000avax", "14d", "--delegation-fee", "6.25%", "--reward-address", FRIEND, "--json")
  const { nodeID, reward } = JSON.parse(stdout)
  const { validators } = await devnet.rpc("platform.getCurrentValidators", { nodeIDs: [nodeID] })
  expect(validators[0]).toMatchObject({ delegationFee: "6.2500", validationRewardOwner: { addresses: [FRIEND] } })
  await devnet.dev.advanceTime({ seconds: 15 * 86_400 })
  expect(await devnet.rpc("platform.getBalance", { addresses: [FRIEND] })).toMatchObject({ balance: BigInt(reward) })
  expect((await serac("stake", "25avax", "14d", "--node", NODE, "--delegation-fee", "3%")).stderr).toContain(
    "cli.flag_without_effect: ",
  )
  expect((await serac("stake", "2000avax", "14d", "--delegation-fee", "3")).stderr).toContain("cli.bad_share: ")
})

test("a validator renews itself and restakes a share, until a transaction of its key ends it", async () => {
  const { stdout, stderr } = await serac("stake", "2000avax", "14d", "--auto-renew", "50%", "--json")
  expect(stderr).toBe("")
  const { nodeID, txID, reward } = JSON.parse(stdout)
  const record = async () => (await devnet.rpc("platform.getCurrentValidators", { nodeIDs: [nodeID] })).validators[0]
  expect(await record()).toMatchObject({
    potentialReward: BigInt(reward),
    autoCompoundRewardShares: 500_000,
    nextPeriod: 1_209_600n,
  })
  await devnet.dev.advanceTime({ seconds: 1_209_600 })
  // A shown reward is in nAVAX: half of it, rounded up, is staked.
  expect(await record()).toMatchObject({ weight: 2_000_000_000_000n + (BigInt(reward) + 1n) / 2n })
  const kind = "SetAutoRenewedValidatorConfigTx"
  const { stdout: unsigned } = await serac(
    ...["tx", "build", JSON.stringify({ kind, txID, autoCompoundRewardShares: 0, period: 0 }), "--from", EWOQ],
  )
  const { stdout: signed } = await run(["tx", "sign", "-"], { stdin: unsigned })
  const sent = await run(["tx", "send", "-", "--url", devnet.url], { stdin: signed })
  expect([sent.code, sent.stderr]).toEqual([0, ""])
  await devnet.dev.advanceTime({ seconds: 1_209_600 })
  expect(await record()).toBeUndefined()
  expect((await serac("stake", "2000avax", "14d", "--auto-renew", "half")).stderr).toContain("cli.bad_share: ")
})

test("a node without the X-Chain and the C-Chain becomes a validator only with --force, because AvalancheGo would count it as offline", async () => {
  // Without /ext/dev the node is like one that has joined a network.
  await using joined = await startTestProxy(devnet.url, ({ path }, response) => {
    if (path !== "/ext/dev") return "pass"
    response.writeHead(404).end()
    return "done"
  })
  const words = ["stake", "2000avax", "14d", "--url", joined.url]
  const { balance } = await devnet.rpc("platform.getBalance", { addresses: [EWOQ] })
  const { code, stdout, stderr } = await run(words)
  expect([code, stdout]).toEqual([1, ""])
  expect(stderr).toMatch(/^serac: cli\.unrewarded_validator: .*AvalancheGo.* \(nodeID: NodeID-\w+, missing: X, C\)\n$/)
  expect(await devnet.rpc("platform.getBalance", { addresses: [EWOQ] })).toMatchObject({ balance })
  // The node of this private chain validates already, and the network says so.
  expect((await run([...words, "--force"], { now: () => 1_900_000_000_000 })).stderr).toContain("rules.already_validator")
})

test("a delegation to a validator that was not online for long enough is told before it is sent", async () => {
  await devnet.dev.setUptime({ nodeID: NODE, percent: 12.5 })
  const { stderr, code } = await serac("stake", "25avax", "14d", "--node", NODE)
  expect([code, stderr]).toEqual([
    0,
    `${NODE} was online for 12.5 % of its time, as the node at --url measured it, and a reward requires 90 %: it and its delegators may get none\n`,
  ])
})

test("an account of the banner signs by its number, and a key is PrivateKey-… or hex", async () => {
  const chain = await startDevnet({ accounts: 2 })
  const folder = mkdtempSync(join(tmpdir(), "serac-keys-"))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true })
    await chain.stop()
  })
  const [first, second] = chain.accounts.map(({ address }) => address)
  const sender = async (...words: readonly string[]) => {
    const { stdout, stderr } = await run(["send", FRIEND, "1avax", "--url", chain.url, ...words])
    return /^From +(\S+)/.exec(stdout)?.[1] ?? stderr
  }
  const file = join(folder, "key")
  const fromFile = async (key = "") => {
    writeFileSync(file, `${key}\n`)
    return sender("--private-key-file", file)
  }
  expect([await sender("--account", "0"), await sender("--account", "1")]).toEqual([first, second])
  expect(await sender("--account", "2")).toContain("cli.unknown_account")
  expect(await sender("--account", "0", "--private-key-file", file)).toContain("cli.flag_without_effect")
  expect(await fromFile(chain.accounts[1]?.privateKeyHex)).toBe(second)
  expect(await fromFile(chain.accounts[1]?.privateKey)).toBe(second)
})

test("a payment that cannot be funded is refused with the reason", async () => {
  const refusals = [
    [["send", FRIEND, "900000000avax"], /^serac: producer\.insufficient_funds: .*\n$/],
    [["send", "P-fuji1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3x4n2yu", "1avax"], /^serac: types\.\w+: .*\n$/],
    [["stake", "1avax", "14d", "--node", NODE], /^serac: rules\.weight_too_small: .*\n$/],
  ] as const
  for (const [words, line] of refusals) {
    // Nothing is printed of a stake that the node refuses: no reward is promised.
    expect(await serac(...words)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(line) })
  }
})

test("serac check asks the node of a private chain, and changes nothing", async () => {
  const { txID } = await devnet.dev.fund({ address: FRIEND, amount: 1_000_000_000n })
  const { tx } = await devnet.rpc("platform.getTx", { txID: txID ?? "" })
  const checked = await serac("check", tx)
  expect({ code: checked.code, stderr: checked.stderr }).toEqual({ code: 0, stderr: "" })
  // The transaction was accepted before, so that its inputs are spent.
  expect(JSON.parse(checked.stdout)).toMatchObject({ ok: false, error: { message: expect.any(String) } })
  expect((await serac("check", tx, "--at", "2030-01-01T00:00:00Z")).stderr).toContain("cli.flag_without_effect")
})

test("a key with more UTXOs than a page has pays from all of them", async () => {
  const address = "P-local1g65uqn6t77p656w64023nh8nd9updzmxyymev2"
  const grant = (amount: bigint) => devnet.dev.fund({ address, amount, stakeableLocktime: 1n })
  for (let i = 0; i < 1_100; i++) await grant(1n)
  for (let i = 0; i < 30; i++) await grant(1_000_000_000n)
  const vmRQ = "PrivateKey-vmRQiZeXEXYMyJhEiqdC2z5JhuDbxL8ix9UVvjgMu2Er1NepE"
  const wallet = await RemoteWallet.open(devnet.rpc, { privateKey: vmRQ, now: 1_900_000_000n })
  expect(wallet.balance).toBe(30_000_000_000n + 98n)
  expect(await wallet.send(FRIEND, 29_900_000_000n)).toMatchObject({ status: "Committed" })
})
