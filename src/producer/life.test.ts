import { expect } from "vitest"
import { expectJudged, judgedTest } from "../../test/judge.js"
import { AVAX } from "../core/networks/params.js"
import { rewardOf, splitReward } from "../core/rules/reward.js"
import { supplyOf } from "../core/rules/staking.js"
import { TxStatus, tables } from "../core/state/tables.js"
import { type ID, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import { Actor } from "./actor.fixture.js"
import { type Devnet, openDevnet } from "./devnet.fixture.js"

const DAY = 86_400n

const supplyIn = ({ store }: Devnet) => supplyOf(store.latest, PRIMARY_NETWORK_ID)
/** Helicon has been active for years: its minimum rate is the target. */
const rewardFor = ({ chain }: Devnet, seconds: bigint, weight: bigint, supply: bigint) =>
  rewardOf({ ...chain.status.rules.params.reward, minConsumptionRate: 75_000n }, seconds, weight, supply)
const paidFor = ({ store }: Devnet, txID: ID) =>
  [...store.latest.rows(tables.rewardUtxos, { under: { txID } })].map(([, { output }]) =>
    output.kind === "TransferOutput" ? [output.amount, output.addresses[0]] : [],
  )

judgedTest("a validator and its delegators are rewarded as the formula says, and the supply grows by as much", async (judge) => {
  const devnet = await openDevnet()
  const { dev } = devnet
  const validator = await Actor.withFunds(devnet, 1, 10_000n * AVAX)
  const delegator = await Actor.withFunds(devnet, 2, 10_000n * AVAX)
  const node = await dev.newIdentity()
  const before = supplyIn(devnet)
  const validation = await validator.addValidator(node, 5_000n * AVAX, 30n * DAY)
  const own = rewardFor(devnet, 30n * DAY, 5_000n * AVAX, before)
  const delegation = await delegator.addDelegator(node.nodeID, 1_000n * AVAX, 20n * DAY)
  const others = rewardFor(devnet, 20n * DAY, 1_000n * AVAX, before + own)
  expect(supplyIn(devnet)).toBe(before + own + others)

  expect(await dev.setTime({ to: dev.now() + 20n * DAY })).toMatchObject({ blocks: 2, rewarded: 1, aborted: 0 })
  const split = splitReward(others, 100_000)
  expect(paidFor(devnet, delegation)).toEqual([[split.delegator, delegator.key.address]])
  const key = { subnetID: PRIMARY_NETWORK_ID, nodeID: node.nodeID }
  expect(devnet.store.latest.get(tables.delegateeRewards, key)).toBe(split.delegatee)

  expect(await dev.setTime({ to: dev.now() + 10n * DAY })).toMatchObject({ blocks: 2, rewarded: 1, aborted: 0 })
  expect(paidFor(devnet, validation)).toEqual([
    [own, validator.key.address],
    [split.delegatee, validator.key.address],
  ])
  expect(devnet.store.latest.get(tables.currentValidators, key)).toBeUndefined()
  expect(supplyIn(devnet)).toBe(before + own + others)
  // All but fees came back: the stake, the reward, and the fee that the delegator left.
  expect(10_000n * AVAX + own + split.delegatee - validator.balance).toBeLessThan(100_000n)
  judge(() => expectJudged(devnet.store))
})

judgedTest(
  "below 90 % uptime only the commission of earlier delegations is paid, and the supply shrinks again",
  async (judge) => {
    const devnet = await openDevnet()
    const { dev, store } = devnet
    const validator = await Actor.withFunds(devnet, 1, 10_000n * AVAX)
    const delegator = await Actor.withFunds(devnet, 2, 10_000n * AVAX)
    const node = await dev.newIdentity()
    const before = supplyIn(devnet)
    const validation = await validator.addValidator(node, 2_000n * AVAX, 30n * DAY)
    const own = rewardFor(devnet, 30n * DAY, 2_000n * AVAX, before)
    const early = await delegator.addDelegator(node.nodeID, 100n * AVAX, 10n * DAY)
    const earlyReward = rewardFor(devnet, 10n * DAY, 100n * AVAX, before + own)
    const late = await delegator.addDelegator(node.nodeID, 100n * AVAX, 20n * DAY)
    const lateReward = rewardFor(devnet, 20n * DAY, 100n * AVAX, before + own + earlyReward)

    await dev.setUptime(node.nodeID, 90)
    expect(await dev.setTime({ to: dev.now() + 10n * DAY })).toMatchObject({ rewarded: 1, aborted: 0 })
    await dev.setUptime(node.nodeID, 89.9999)
    expect(devnet.chain.status.uptimeOf(node.nodeID)).toBe(0.899999)
    expect(await dev.setTime({ to: dev.now() + 20n * DAY })).toMatchObject({ rewarded: 0, aborted: 2 })

    const { delegatee, delegator: part } = splitReward(earlyReward, 100_000)
    expect(paidFor(devnet, early)).toEqual([[part, delegator.key.address]])
    expect(paidFor(devnet, late)).toEqual([])
    expect(paidFor(devnet, validation)).toEqual([[delegatee, validator.key.address]])
    expect(supplyIn(devnet)).toBe(before + earlyReward)
    expect(lateReward).toBeGreaterThan(0n)
    const rewards = [...store.latest.rows(tables.txs)].filter(([, { status }]) => status === TxStatus.aborted)
    expect(rewards.length).toBe(2)
    judge(() => expectJudged(store))
  },
)

judgedTest("the five validators stake again when their year is over, and again a year later", async (judge) => {
  const devnet = await openDevnet()
  const { dev, store } = devnet
  const validators = () => [...store.latest.rows(tables.currentValidators)].map(([, staker]) => staker)
  const first = validators()
  expect(first.map(({ weight }) => weight)).toEqual(Array(5).fill(2_000_000n * AVAX))
  const travelled = await dev.setTime({ to: dev.now() + 366n * DAY })
  expect(travelled).toMatchObject({ rewarded: 5, aborted: 0, blocks: 15 })
  const second = validators()
  expect(second.map(({ nodeID, publicKey }) => [nodeID, publicKey])).toEqual(first.map((each) => [each.nodeID, each.publicKey]))
  for (const [i, { startTime, endTime, weight }] of second.entries()) {
    expect(startTime).toBe(first[i]!.endTime)
    expect(endTime - startTime).toBe(365n * DAY)
    // The fee comes out of the stake: the key owns nothing else.
    expect(2_000_000n * AVAX - weight).toBeLessThan(20_000n)
  }
  await dev.setTime({ to: dev.now() + 366n * DAY })
  expect(validators().map(({ startTime }) => startTime)).toEqual(second.map(({ endTime }) => endTime))
  judge(() => expectJudged(store))
})

judgedTest("without renewal the five leave", async (judge) => {
  const { dev, store } = await openDevnet({ choices: { renewsValidators: false } })
  expect(await dev.setTime({ to: dev.now() + 366n * DAY })).toMatchObject({ rewarded: 5, blocks: 10 })
  expect([...store.latest.rows(tables.currentValidators)]).toEqual([])
  judge(() => expectJudged(store))
})

judgedTest("a node that was down makes the blocks that fell due meanwhile, each at its time", async (judge) => {
  const devnet = await openDevnet()
  const validator = await Actor.withFunds(devnet, 1, 10_000n * AVAX)
  await validator.addValidator(await devnet.dev.newIdentity(), 2_000n * AVAX, 30n * DAY)
  await devnet.chain.stop()
  devnet.machine.time += Number(800n * DAY) * 1000
  const { store, machine } = devnet
  const again = await openDevnet({ store, machine })
  const stakers = [...store.latest.rows(tables.currentStakers)].map(([, staker]) => staker)
  expect(stakers.length).toBe(5)
  for (const { startTime, endTime } of stakers) {
    expect(startTime).toBeLessThan(again.dev.now() - 60n * DAY)
    expect(endTime).toBeGreaterThan(again.dev.now())
  }
  judge(() => expectJudged(store))
})
