// Tests the dapp with a private P-Chain in this process. Every test starts from the same chain, and months take milliseconds.
//
//   npx vitest run --root examples/staking-dapp
import { pvm } from "@avalabs/avalanchejs"
import { startDevnet } from "serac"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { AVAX, openWallet, PRIMARY_NETWORK } from "../wallet.js"
import { createStakingDapp } from "./stakingDapp.js"

const MONTH = 30n * 24n * 60n * 60n

let devnet, wallet, dapp, snapshot

beforeAll(async () => {
  // All tests share one chain with ten validators, and revert to this state before each test.
  devnet = await startDevnet({ accounts: 1 })
  await devnet.dev.addValidators({ count: 10, duration: String(6n * MONTH) })
  wallet = await openWallet(devnet.url, devnet.accounts[0].privateKey)
  dapp = createStakingDapp(devnet.url)
  snapshot = (await devnet.dev.snapshot()).id
})
beforeEach(() => devnet.dev.revert({ id: snapshot }))
afterAll(() => devnet.stop())

/** Returns the clock of the chain, which differs from `Date.now()` after `dev.advanceTime`. */
const now = () => devnet.now()

async function delegate(nodeId, seconds) {
  const end = now() + seconds
  const stake = { nodeId, subnetId: PRIMARY_NETWORK, start: 0n, end, weight: 100n * AVAX, rewardAddresses: [wallet.bytes] }
  return wallet.issue((common) => pvm.newAddPermissionlessDelegatorTx({ ...common, ...stake }, wallet.context))
}

test("offers validators that stay long enough", async () => {
  expect(await dapp.offers(MONTH, now())).toHaveLength(15)
  await devnet.dev.advanceTime({ seconds: String(5n * MONTH + 1n) })
  expect(await dapp.offers(MONTH, now())).toHaveLength(5) // only the five validators of the local network
})

test("shows what a delegation earned", async () => {
  const [offer] = await dapp.offers(MONTH, now())
  const txID = await delegate(offer.nodeID, MONTH)
  expect(await dapp.outcome(txID, offer.nodeID)).toBe("staked")
  await devnet.dev.advanceTime({ seconds: String(MONTH) })
  expect(await dapp.outcome(txID, offer.nodeID)).toBeGreaterThan(0n)
})

test("reports that the validator was offline", async () => {
  const [offer] = await dapp.offers(MONTH, now())
  const txID = await delegate(offer.nodeID, MONTH)
  await devnet.dev.setUptime({ nodeID: offer.nodeID, percent: 60 })
  await devnet.dev.advanceTime({ seconds: String(MONTH) })
  expect(await dapp.outcome(txID, offer.nodeID)).toBe("unrewarded")
})
