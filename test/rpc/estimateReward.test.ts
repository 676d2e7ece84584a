import { describe, expect, onTestFinished, test } from "vitest"
import { buildTxAt, issueTxFile } from "../../src/client/txFile/atNode.js"
import { signTxFile } from "../../src/client/txFile/txFile.js"
import { delegationForm, type TxForm } from "../../src/client/txFile/txForms.js"
import { txsOf } from "../../src/core/blocks/block.js"
import { estimateRewards } from "../../src/core/rules/rewardEstimate.js"
import { tables } from "../../src/core/state/tables.js"
import { stakerInfoOf } from "../../src/core/txs/execute.js"
import { PRIMARY_NETWORK_ID } from "../../src/core/types/id.js"
import { parsePrivateKey } from "../../src/core/types/privateKey.js"
import { type Devnet, startDevnet } from "../../src/devnet/devnet.js"
import { START } from "../execution/random/genesis.js"
import { RandomChain } from "../execution/random/randomChain.js"
import { upgradesThrough } from "../fixtures/state.js"
import { attempts, Random, seed } from "../fuzz/random.js"

const AVAX = 1_000_000_000n
const DAY = 86_400n

async function openDevnet(): Promise<Devnet> {
  const devnet = await startDevnet({
    accounts: 1,
    balance: 20_000_000n * AVAX,
    startTime: 1_900_000_000n,
    freezeTime: true,
    noRenewValidators: true,
  })
  onTestFinished(() => devnet.stop())
  return devnet
}

/** Makes, signs and issues a transaction of the first account. */
async function issue({ rpc, accounts, now }: Devnet, form: TxForm): Promise<string> {
  const { address = "", privateKey = "" } = accounts[0] ?? {}
  const file = await buildTxAt(rpc, { form, from: [address], now: now() })
  const noCChain = async () => undefined
  return (await issueTxFile(rpc, noCChain, signTxFile(file, parsePrivateKey(privateKey)))).txID
}

/** The rewards of the first account, oldest first. */
async function rewardsOf({ rpc, accounts }: Devnet) {
  const { rewards } = await rpc("platform.getRewardsByAddress", { address: accounts[0]?.address ?? "", limit: 1024 })
  return rewards.map(({ amount }) => amount).reverse()
}

test("a delegation is paid what was estimated before, to the last nAVAX", async () => {
  const devnet = await openDevnet()
  const { validators } = await devnet.rpc("platform.getCurrentValidators", {})
  const random = new Random(seed("estimated delegations"))
  const expected: bigint[] = []
  for (let i = 0; i < 6; i++) {
    const { nodeID, delegationFee } = random.pick(validators)
    const amount = 25n * AVAX + BigInt(random.below(1_000_000_000_000))
    const duration = DAY + BigInt(random.below(160 * 86_400))
    const delegationShares = Number(delegationFee) * 10_000
    const { reward, cycles } = await devnet.rpc("platform.estimateReward", { amount, duration, delegationShares })
    expect(cycles).toEqual([
      expect.objectContaining({ assumption: "nextBlock", reward, leastReward: reward, mostReward: reward }),
    ])
    await issue(devnet, delegationForm(nodeID, amount, duration))
    const found = (await devnet.rpc("platform.getCurrentValidators", { nodeIDs: [nodeID] })).validators[0]?.delegators ?? []
    expect(found.map(({ potentialReward }) => potentialReward)).toContain(reward + (cycles[0]?.validatorShare ?? 0n))
    if (reward > 0n) expected.push(reward)
    await devnet.dev.advanceTime({ seconds: random.below(86_400) })
  }
  await devnet.dev.advanceTime({ seconds: 170n * DAY })
  expect((await rewardsOf(devnet)).sort()).toEqual(expected.sort())
})

const EWOQ = "P-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u"

/** Adds an auto-renewed validator of the well-known key, and returns the reward of each cycle up to now, when it is asked. */
async function addAutoRenewed({ dev, rpc }: Devnet, weight: bigint, period: bigint, compound: number) {
  const { nodeIDs, txIDs } = await dev.addValidators({ count: 1, weight, autoRenew: { period, compound } })
  const record = async () => (await rpc("platform.getCurrentValidators", { nodeIDs })).validators[0]
  const paid = async () => {
    const { rewards } = await rpc("platform.getRewardsByAddress", { address: EWOQ, limit: 1024 })
    return rewards
      .filter(({ stakerTxID }) => stakerTxID === txIDs[0])
      .map(({ amount }) => amount)
      .reverse()
  }
  return { record, paid }
}

test("each cycle of an auto-renewed validator is what was estimated, while the supply grows by it alone", async () => {
  const random = new Random(seed("estimated cycles"))
  for (let i = 0; i < 3; i++) {
    const devnet = await openDevnet()
    const amount = 2_000n * AVAX + BigInt(random.below(1_000_000_000_000))
    const [duration, compound] = [DAY + BigInt(random.below(20 * 86_400)), random.below(101)]
    const call = { amount, duration, cycles: 4, autoCompoundRewardShares: compound * 10_000 }
    const { cycles, reward } = await devnet.rpc("platform.estimateReward", call)
    expect(cycles.map(({ assumption }) => assumption)).toEqual(["nextBlock", ...Array(3).fill("constantSupply")])
    const { record, paid } = await addAutoRenewed(devnet, amount, duration, compound)
    let total = 0n
    for (const cycle of cycles) {
      expect(await record()).toMatchObject({ weight: cycle.stake, potentialReward: cycle.reward })
      expect(cycle.leastReward <= cycle.reward && cycle.reward <= cycle.mostReward).toBe(true)
      await devnet.dev.advanceTime({ seconds: duration })
      total += cycle.reward - cycle.restaked
    }
    // The last cycle of the estimate pays everything; here the validator goes on.
    const rewards = await paid()
    expect(rewards.slice(0, 3)).toEqual(
      cycles
        .slice(0, 3)
        .map((cycle) => cycle.reward - cycle.restaked)
        .filter((each) => each > 0n),
    )
    expect(reward).toBe(cycles.reduce((sum, cycle) => sum + cycle.reward, 0n))
    expect(total).toBeGreaterThan(0n)
  }
})

test("later cycles stay within their bounds, whatever others stake", async () => {
  const random = new Random(seed("bounds of estimates"))
  const devnet = await openDevnet()
  const call = { amount: 2_000n * AVAX, duration: 30n * DAY, cycles: 6, autoCompoundRewardShares: 1_000_000 }
  const { cycles } = await devnet.rpc("platform.estimateReward", call)
  const { record } = await addAutoRenewed(devnet, call.amount, call.duration, 100)
  for (const { leastReward, mostReward } of cycles) {
    const { potentialReward = 0n } = (await record()) ?? {}
    expect(leastReward <= potentialReward && potentialReward <= mostReward).toBe(true)
    // Large stakes for a year move the supply most.
    await devnet.dev.addValidators({ count: 1 + random.below(3), weight: 900_000n * AVAX })
    const { timestamp } = await devnet.rpc("platform.getTimestamp", {})
    const end = BigInt((await record())?.endTime ?? 0n)
    await devnet.dev.advanceTime({ seconds: end - BigInt(Date.parse(timestamp)) / 1000n })
  }
})

test("stakes that the chain would refuse are refused with its codes", async () => {
  const devnet = await openDevnet()
  const stake = { amount: 2_000n * AVAX, duration: 14n * DAY }
  const cases = [
    [{ ...stake, amount: 1n }, "rules.weight_too_small"],
    [{ ...stake, amount: 3_000_001n * AVAX }, "rules.weight_too_large"],
    [{ ...stake, duration: 1n }, "rules.stake_too_short"],
    [{ ...stake, duration: 366n * DAY }, "rules.stake_too_long"],
    [{ ...stake, amount: 24n * AVAX, delegationShares: 20_000 }, "rules.weight_too_small"],
    [{ ...stake, duration: 3_600n, delegationShares: 20_000 }, "rules.stake_too_short"],
    [{ ...stake, delegationShares: 1_000_001 }, "tx.too_many_shares"],
    [{ ...stake, cycles: 0 }, "platform.bad_cycles"],
    [{ ...stake, cycles: 1_001 }, "platform.bad_cycles"],
    [{ ...stake, cycles: 1, delegationShares: 20_000 }, "platform.renewed_delegation"],
    [{ ...stake, cycles: 1, autoCompoundRewardShares: 1_000_001 }, "tx.too_many_restaked_shares"],
  ] as const
  for (const [call, code] of cases) {
    await expect(devnet.rpc("platform.estimateReward", call)).rejects.toMatchObject({ code })
  }
  // Helicon's minimum of an hour on the local network is for validators alone.
  expect((await devnet.rpc("platform.estimateReward", { ...stake, duration: 3_600n })).reward).toBeGreaterThan(0n)
  const { cycles } = await devnet.rpc("platform.estimateReward", { ...stake, start: 1_900_000_000n + DAY })
  expect(cycles[0]).toMatchObject({ startTime: "2030-03-18T17:46:40Z", assumption: "constantSupply" })
})

/** A schedule in which Helicon was activated some days before the start, so that the minimum consumption rate is still changing. */
function ramping(days: bigint) {
  const upgrades = upgradesThrough("granite")
  return { ...upgrades, times: { ...upgrades.times, helicon: START - days * DAY } }
}

const eras = [
  ["under Durango", upgradesThrough("durango")],
  ["under Granite", upgradesThrough("granite")],
  ["in the first days of Helicon", ramping(3n)],
  ["40 days after Helicon", ramping(40n)],
  ["after the ramp of Helicon", upgradesThrough("helicon")],
] as const

describe("on random chains the next block promises what was estimated", () => {
  let compared = 0
  for (let i = 0; i < attempts(50); i++) {
    const [era, upgrades] = eras[i % eras.length]!
    test(`chain ${i}, ${era}`, () => {
      const random = new RandomChain(new Random(seed("estimates on random chains") + i), upgrades)
      const { store, rules } = random
      for (let step = 0; step < 80; step++) {
        const before = store.view()
        const blocks = random.step()
        const stakes = blocks.flatMap(txsOf).filter(({ unsignedTx }) => {
          const info = stakerInfoOf(unsignedTx)
          return info?.rewardsOwner !== undefined && info.subnetID === PRIMARY_NETWORK_ID
        })
        const time = store.latest.get(tables.timestamp, null) ?? 0n
        // The first stake of the next block, with what is due before it neither rewarded nor aborted in the same step.
        const [first] = stakes
        const staker =
          first && [...store.latest.rows(tables.currentStakers)].map(([, each]) => each).find(({ txID }) => txID === first.id)
        if (staker && blocks.length === 1) {
          const { startTime: start, endTime, weight } = staker
          const stake = { weight, start, duration: endTime - start, cycles: 1, autoCompoundRewardShares: 0 }
          expect(start).toBe(time)
          expect(estimateRewards(before, rules, stake, time)[0]?.reward).toBe(staker.potentialReward)
          compared++
        }
        before.release()
      }
    })
  }
  test("many were compared", () => expect(compared).toBeGreaterThan(attempts(50)))
})
