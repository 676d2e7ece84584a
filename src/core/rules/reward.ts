import { SECOND } from "../lib/goDuration.js"
import { MAX64, min } from "../lib/math64.js"
import { PERCENT_DENOMINATOR, type RewardConfig } from "../networks/params.js"

/**
 * What a stake will have earned at its end, in the asset's smallest unit, for a duration in seconds and the supply at its
 * beginning. At most what is left to mint.
 */
export function rewardOf(config: RewardConfig, duration: bigint, stake: bigint, supply: bigint): bigint {
  const { maxConsumptionRate, minConsumptionRate, mintingPeriodNanoseconds: period } = config
  const staked = duration * SECOND
  // The reference subtracts 64-bit numbers: a cap below the supply wraps around instead of leaving nothing.
  const remaining = BigInt.asUintN(64, config.supplyCap - supply)
  const rate = (maxConsumptionRate - minConsumptionRate) * staked + minConsumptionRate * period
  // One division gives what the reference's three in a row do.
  return min(remaining, (remaining * rate * stake * staked) / (period * PERCENT_DENOMINATOR * supply * period))
}

/** A delegation reward in two: what the validator (delegatee) keeps and what the delegator gets. */
export interface SplitReward {
  readonly delegatee: bigint
  readonly delegator: bigint
}

/** Splits a delegation reward by the validator's shares, in millionths. What rounding leaves goes to the delegatee. */
export function splitReward(total: bigint, shares: number): SplitReward {
  const rest = PERCENT_DENOMINATOR - BigInt(shares)
  const product = rest * total
  // Where the product passes 64 bits the reference divides first, and rounds coarsely. So it is the rule.
  const delegator = product <= MAX64 ? product / PERCENT_DENOMINATOR : rest * (total / PERCENT_DENOMINATOR)
  return { delegatee: total - delegator, delegator }
}
