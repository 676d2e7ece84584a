// Tests what happens on the C-Chain and the P-Chain with both chains in this process. Every test starts from the same chains.
//
//   SERAC_PLUGINS=DIR npx vitest run --root examples/two-chains
//
// DIR has a plugin of coreth, the VM of the C-Chain (docs/c-chain.md).
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { AVAX, openWallet, PRIMARY_NETWORK } from "../wallet.js"

const TWO_WEEKS = 14n * 24n * 60n * 60n

let devnet, alice, snapshot

beforeAll(async () => {
  devnet = await startDevnet({ pluginDir: process.env.SERAC_PLUGINS ?? "plugins", cChain: true, accounts: 1 })
  alice = devnet.accounts[0]
  snapshot = (await devnet.dev.snapshot()).id
})
beforeEach(() => devnet.dev.revert({ id: snapshot }))
afterAll(() => devnet?.stop())

const onP = async () => (await devnet.rpc("platform.getBalance", { addresses: [alice.address] })).balance

/** The balance on the C-Chain in nAVAX. Any library of the EVM can ask; here it is one call. */
async function onC() {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBalance", params: [alice.evmAddress, "latest"] })
  const headers = { "content-type": "application/json" }
  const answer = await fetch(devnet.cChain.rpcUrl, { method: "POST", headers, body })
  const { result } = /** @type {{ result: string }} */ (await answer.json())
  return BigInt(result) / 1_000_000_000n
}

test("what leaves the C-Chain arrives on the P-Chain, less the fees", async () => {
  const [p, c] = [await onP(), await onC()]
  const { received } = await devnet.transfer({ from: "C", to: "P", amount: 30n * AVAX, privateKey: alice.privateKey })
  expect(await onP()).toBe(p + received)
  expect(c - (await onC())).toBeGreaterThanOrEqual(30n * AVAX)
})

test("a stake from the C-Chain earns what was estimated", async () => {
  await devnet.transfer({ from: "C", to: "P", amount: 30n * AVAX, privateKey: alice.privateKey })
  const [validator] = (await devnet.rpc("platform.getCurrentValidators", {})).validators
  const delegationShares = Number(validator.delegationFee) * 10_000
  const stake = { amount: 25n * AVAX, duration: TWO_WEEKS, delegationShares }
  const { reward } = await devnet.rpc("platform.estimateReward", stake)
  const [nodeId, weight, end] = [validator.nodeID, stake.amount, devnet.now() + TWO_WEEKS]
  const wallet = await openWallet(devnet.url, alice.privateKey)
  const delegation = { nodeId, subnetId: PRIMARY_NETWORK, start: 0n, end, weight, rewardAddresses: [wallet.bytes] }
  await wallet.issue((common) => pvm.newAddPermissionlessDelegatorTx({ ...common, ...delegation }, wallet.context))
  await devnet.dev.advanceTime({ seconds: TWO_WEEKS })
  const { rewards } = await devnet.rpc("platform.getRewardsByAddress", { address: alice.address })
  expect(rewards.map(({ amount }) => Number(amount - reward) / Number(reward))).toEqual([expect.closeTo(0, 5)])
})

test("no test leaves anything behind on either chain", async () => {
  const balances = [await onP(), await onC()]
  await devnet.transfer({ from: "P", to: "C", amount: 5n * AVAX, privateKey: alice.privateKey })
  expect([await onP(), await onC()]).not.toEqual(balances)
  await devnet.dev.revert({ id: snapshot })
  expect([await onP(), await onC()]).toEqual(balances)
})
