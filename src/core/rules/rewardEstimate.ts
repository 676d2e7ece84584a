import { min } from "../lib/math64.js"
import { PERCENT_DENOMINATOR } from "../networks/params.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import type { Rules } from "./context.js"
import { restakeOf, rewardOf, splitReward } from "./reward.js"
import { rewardConfigFor, supplyOf } from "./staking.js"

/** A stake of the primary network whose rewards are estimated. Times are Unix seconds, amounts nAVAX, shares millionths. */
export interface EstimatedStake {
  readonly weight: bigint
  readonly start: bigint
  /** The length of the stake, or of each cycle. */
  readonly duration: bigint
  /** The validator's share of the reward, for a delegation. */
  readonly delegationShares?: number | undefined
  /** The number of cycles: more than one for an auto-renewed validator. */
  readonly cycles: number
  /** The share of a cycle's reward that is restaked. */
  readonly autoCompoundRewardShares: number
}

/** A reward, with the least and the most that it can become by what others stake meanwhile. */
export interface EstimatedCycle {
  readonly start: bigint
  readonly end: bigint
  readonly weight: bigint
  readonly reward: bigint
  /** The part of a delegation's reward that the validator gets instead. */
  readonly validatorShare: bigint
  readonly restaked: bigint
  readonly least: bigint
  readonly most: bigint
}

/**
 * Returns the rewards of a stake, one for each cycle. That of a stake which starts at `now`, the time of the next block, is what the network
 * then promises. For later starts the supply is assumed to grow by this stake alone; `least` and `most` hold whatever others stake. Delegations to a
 * validator, which let it earn more, are not counted.
 */
export function estimateRewards(view: View, rules: Rules, stake: EstimatedStake, now: bigint): readonly EstimatedCycle[] {
  const supply = supplyOf(view, PRIMARY_NETWORK_ID)
  const isLater = stake.start > now || stake.cycles > 1
  const bounds = isLater ? supplyBounds(view, rules, supply) : undefined
  const expected = cycleRewards(view, rules, stake, (_, own) => supply + own)
  const exactly = (start: bigint) => start <= now
  const least = bounds && cycleRewards(view, rules, stake, (start) => (exactly(start) ? supply : bounds.most(start - now)))
  const most = bounds && cycleRewards(view, rules, stake, (start, own) => (exactly(start) ? supply : bounds.least + own))
  return expected.map((cycle, i) => ({
    ...cycle,
    least: least?.[i]?.reward ?? cycle.reward,
    most: most?.[i]?.reward ?? cycle.reward,
  }))
}

/** Returns the supply after a time in seconds, if all that exists were staked at once for the longest time, and the supply if no current stake were rewarded. */
function supplyBounds(view: View, rules: Rules, supply: bigint) {
  const { supplyCap, maxConsumptionRate, mintingPeriodNanoseconds } = rules.params.reward
  const { maxStakeDuration } = rules.params.staking
  const remaining = supplyCap > supply ? supplyCap - supply : 0n
  let least = supply
  for (const [, { subnetID, potentialReward }] of view.rows(tables.currentStakers)) {
    if (subnetID === PRIMARY_NETWORK_ID) least -= potentialReward
  }
  return {
    least,
    most(seconds: bigint): bigint {
      const nanoseconds = (seconds + maxStakeDuration) * 1_000_000_000n
      const minted = (remaining * maxConsumptionRate * nanoseconds) / (PERCENT_DENOMINATOR * mintingPeriodNanoseconds)
      return supply + min(minted, remaining)
    },
  }
}

type Cycle = Omit<EstimatedCycle, "least" | "most">

/** Computes the cycles one after the other. `supplyAt` has the supply at the start of a cycle, by its time and by the rewards of the cycles before it. */
function cycleRewards(
  view: View,
  rules: Rules,
  { weight: first, start: begin, duration, delegationShares, cycles, autoCompoundRewardShares }: EstimatedStake,
  supplyAt: (start: bigint, own: bigint) => bigint,
): readonly Cycle[] {
  const found: Cycle[] = []
  let [weight, start, own] = [first, begin, 0n]
  for (let i = 0; i < cycles; i++) {
    const total = rewardOf(rewardConfigFor(view, rules, PRIMARY_NETWORK_ID, start), duration, weight, supplyAt(start, own))
    const { delegator, delegatee } =
      delegationShares === undefined ? { delegator: total, delegatee: 0n } : splitReward(total, delegationShares)
    // The last cycle is one after which the validator leaves, and everything is paid.
    const room = rules.params.staking.maxValidatorStake - weight
    const isLast = i === cycles - 1
    const { validation } = restakeOf({ validation: delegator, delegatee: 0n }, autoCompoundRewardShares, room)
    const restaked = isLast ? 0n : validation
    const end = start + duration
    found.push({ start, end, weight, reward: delegator, validatorShare: delegatee, restaked })
    own += total
    weight += restaked
    start = end
  }
  return found
}
