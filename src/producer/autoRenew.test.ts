import { expect, test } from "vitest"
import { expectJudged, judgedTest } from "../../test/judge.js"
import { AVAX } from "../core/networks/params.js"
import { upTo } from "../core/networks/upgrades.js"
import { supplyOf } from "../core/rules/staking.js"
import { type Renewal, TxStatus, tables } from "../core/state/tables.js"
import { type ID, type NodeID, PRIMARY_NETWORK_ID } from "../core/types/id.js"
import { Actor } from "./actor.fixture.js"
import { blocksOf, type Devnet, openDevnet } from "./devnet.fixture.js"

const DAY = 86_400n
const STAKE = 2_000n * AVAX

const keyOf = (nodeID: NodeID) => ({ subnetID: PRIMARY_NETWORK_ID, nodeID })
const validatorIn = ({ store }: Devnet, nodeID: NodeID) => store.latest.get(tables.currentValidators, keyOf(nodeID))
const renewalIn = ({ store }: Devnet, nodeID: NodeID) => store.latest.get(tables.renewals, keyOf(nodeID)) as Renewal
const supplyIn = ({ store }: Devnet) => supplyOf(store.latest, PRIMARY_NETWORK_ID)

/** The transactions that ended cycles, in order. */
const endsIn = (devnet: Devnet) =>
  blocksOf(devnet).flatMap((block) =>
    block.kind === "BanffProposalBlock" && block.tx.unsignedTx.kind === "RewardAutoRenewedValidatorTx" ? [block.tx] : [],
  )

const paidFor = ({ store }: Devnet, txID: ID) =>
  [...store.latest.rows(tables.rewardUtxos, { under: { txID } })].map(([{ outputIndex }, { output }]) => [
    outputIndex,
    output.kind === "TransferOutput" ? output.amount : 0n,
  ])

judgedTest(
  "a validator that renews itself is rewarded at every end of a cycle, and restakes as it is configured",
  async (judge) => {
    const devnet = await openDevnet()
    const { dev } = devnet
    const alice = await Actor.withFunds(devnet, 1, 10_000n * AVAX)
    const node = await dev.newIdentity()
    const txID = await alice.addAutoRenewedValidator(node, STAKE, 14n * DAY, 400_000)
    const first = validatorIn(devnet, node.nodeID)!
    expect([first.txID, first.endTime - first.startTime, first.weight]).toEqual([txID, 14n * DAY, STAKE])

    expect(await dev.setTime({ to: first.endTime })).toMatchObject({ blocks: 2, rewarded: 1, aborted: 0 })
    const second = validatorIn(devnet, node.nodeID)!
    const restaked = first.potentialReward - (600_000n * first.potentialReward) / 1_000_000n
    expect([second.txID, second.startTime, second.endTime]).toEqual([txID, first.endTime, first.endTime + 14n * DAY])
    expect([second.weight, renewalIn(devnet, node.nodeID)]).toEqual([
      STAKE + restaked,
      {
        accruedValidationRewards: restaked,
        accruedDelegateeRewards: 0n,
        autoCompoundRewardShares: 400_000,
        nextPeriod: 14n * DAY,
      },
    ])
    const [end] = endsIn(devnet)
    expect(end!.unsignedTx).toEqual({ kind: "RewardAutoRenewedValidatorTx", txID, timestamp: first.endTime })
    expect(paidFor(devnet, end!.id)).toEqual([[0, first.potentialReward - restaked]])
    expect(paidFor(devnet, txID)).toEqual([])
    judge(() => expectJudged(devnet.store))
  },
)

judgedTest(
  "a delegator earns its validator a commission, and a changed configuration counts at the end of the cycle",
  async (judge) => {
    const devnet = await openDevnet()
    const { dev } = devnet
    const alice = await Actor.withFunds(devnet, 1, 10_000n * AVAX)
    const bob = await Actor.withFunds(devnet, 2, 10_000n * AVAX)
    const node = await dev.newIdentity()
    const txID = await alice.addAutoRenewedValidator(node, STAKE, 10n * DAY, 0)
    const { endTime, potentialReward } = validatorIn(devnet, node.nodeID)!
    await bob.addDelegator(node.nodeID, 1_000n * AVAX, endTime - dev.now())
    await alice.configure(txID, 20n * DAY, 1_000_000)
    // Two ends in one second: the delegation's comes first.
    expect(await dev.setTime({ to: endTime })).toMatchObject({ blocks: 4, rewarded: 2, aborted: 0 })
    const renewal = renewalIn(devnet, node.nodeID)
    expect(renewal).toEqual({
      accruedValidationRewards: potentialReward,
      accruedDelegateeRewards: expect.any(BigInt),
      autoCompoundRewardShares: 1_000_000,
      nextPeriod: 20n * DAY,
    })
    expect(renewal.accruedDelegateeRewards).toBeGreaterThan(0n)
    const second = validatorIn(devnet, node.nodeID)!
    expect(second.weight).toBe(STAKE + potentialReward + renewal.accruedDelegateeRewards)
    expect(second.endTime).toBe(endTime + 20n * DAY)

    await alice.configure(txID, 0n, 1_000_000)
    await dev.setTime({ to: second.endTime })
    expect(validatorIn(devnet, node.nodeID)).toBeUndefined()
    const [, last] = endsIn(devnet)
    expect(paidFor(devnet, last!.id)).toEqual([
      [0, potentialReward + second.potentialReward],
      [1, renewal.accruedDelegateeRewards],
    ])
    judge(() => expectJudged(devnet.store))
  },
)

judgedTest(
  "a validator that was offline for more than a tenth of its cycle leaves with what it restaked, and may come back",
  async (judge) => {
    const devnet = await openDevnet()
    const { dev, store } = devnet
    const alice = await Actor.withFunds(devnet, 1, 10_000n * AVAX)
    const node = await dev.newIdentity()
    await alice.addAutoRenewedValidator(node, STAKE, 2n * DAY, 1_000_000)
    await dev.setUptime(node.nodeID, 90)
    expect(await dev.setTime({ to: dev.now() + 2n * DAY })).toMatchObject({ rewarded: 1, aborted: 0 })
    const second = validatorIn(devnet, node.nodeID)!
    await dev.setUptime(node.nodeID, 89)
    const before = supplyIn(devnet)
    expect(await dev.setTime({ to: dev.now() + 2n * DAY })).toMatchObject({ rewarded: 0, aborted: 1 })
    expect([validatorIn(devnet, node.nodeID), before - supplyIn(devnet)]).toEqual([undefined, second.potentialReward])
    const [, end] = endsIn(devnet)
    expect(store.latest.get(tables.txs, end!.id)?.status).toBe(TxStatus.aborted)
    expect(paidFor(devnet, end!.id)).toEqual([[0, second.weight - STAKE]])
    await dev.setUptime(node.nodeID, undefined)
    await alice.addAutoRenewedValidator(node, STAKE, 2n * DAY, 0)
    await dev.setTime({ to: dev.now() + 20n * DAY })
    expect(validatorIn(devnet, node.nodeID)?.startTime).toBe(dev.now())
    judge(() => expectJudged(store))
  },
)

judgedTest(
  "many that were added together are rewarded cycle by cycle beside ordinary stakers, each at its time",
  async (judge) => {
    const devnet = await openDevnet({ choices: { isFrozen: true } })
    const { dev, store } = devnet
    await dev.addValidators({ count: 3, delegators: 2, duration: 30n * DAY })
    const { identities } = await dev.addValidators({
      count: 5,
      delegators: 1,
      autoRenew: { period: 2n * DAY, compoundShares: 1_000_000 },
    })
    const began = dev.now()
    const { blocks, rewarded, aborted } = await dev.setTime({ to: began + 100n * DAY })
    // 50 cycles of five validators, their five delegators once, and three others with six delegators.
    expect({ blocks, rewarded, aborted }).toEqual({ blocks: 2 * 264, rewarded: 264, aborted: 0 })
    for (const { nodeID } of identities) {
      const { startTime, endTime, weight } = validatorIn(devnet, nodeID)!
      const { accruedValidationRewards, accruedDelegateeRewards } = renewalIn(devnet, nodeID)
      expect([endTime - startTime, weight]).toEqual([2n * DAY, STAKE + accruedValidationRewards + accruedDelegateeRewards])
    }
    expect([...store.latest.rows(tables.currentStakers)].length).toBe(10)
    judge(() => expectJudged(store))
  },
)

judgedTest("a node that was down ends every cycle that was over meanwhile", async (judge) => {
  const devnet = await openDevnet()
  const alice = await Actor.withFunds(devnet, 1, 10_000n * AVAX)
  const node = await devnet.dev.newIdentity()
  await alice.addAutoRenewedValidator(node, STAKE, 2n * DAY, 500_000)
  await devnet.chain.stop()
  devnet.machine.time += Number(31n * DAY) * 1000
  const again = await openDevnet({ store: devnet.store, machine: devnet.machine })
  expect(endsIn(again)).toHaveLength(15)
  expect(validatorIn(again, node.nodeID)!.endTime).toBeGreaterThan(again.dev.now())
  judge(() => expectJudged(again.store))
})

test.each([
  ["before Helicon", "granite", { period: DAY, compoundShares: 0 }, "tx.not_yet_allowed"],
  ["with too short a cycle", "helicon", { period: 3_599n, compoundShares: 0 }, "rules.stake_too_short"],
  ["with too long a cycle", "helicon", { period: 366n * DAY, compoundShares: 0 }, "rules.stake_too_long"],
  ["with more than all to restake", "helicon", { period: DAY, compoundShares: 1_000_001 }, "tx.too_many_restaked_shares"],
] as const)("validators that renew themselves are refused %s", async (_, upgrade, autoRenew, code) => {
  const { dev } = await openDevnet({ upgrades: upTo(upgrade) })
  await expect(dev.addValidators({ count: 1, delegators: 0, autoRenew })).rejects.toMatchObject({ code })
})
