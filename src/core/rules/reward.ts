import { SECOND } from "../lib/go/goDuration.js"
import { add64, MAX64, min } from "../lib/math64.js"
import { PERCENT_DENOMINATOR, type RewardConfig } from "../networks/params.js"

/**
 * Returns the reward of a stake at its end, in the asset's smallest unit, for a duration in seconds and the supply at its start. It is at
 * most the amount that is left to mint.
 */
export function rewardOf(config: RewardConfig, duration: bigint, stake: bigint, supply: bigint): bigint {
  const { maxConsumptionRate, minConsumptionRate, mintingPeriodNanoseconds: period } = config
  const staked = duration * SECOND
  // AvalancheGo subtracts 64-bit numbers, so a cap below the supply wraps around instead of leaving nothing.
  const remaining = BigInt.asUintN(64, config.supplyCap - supply)
  const rate = (maxConsumptionRate - minConsumptionRate) * staked + minConsumptionRate * period
  // One division gives the same result as AvalancheGo's three in a row.
  return min(remaining, (remaining * rate * stake * staked) / (period * PERCENT_DENOMINATOR * supply * period))
}

/** The minimum consumption rate after Helicon's transition, and the transition's length in nanoseconds (ACP-285). */
const HELICON_MIN_RATE = 75_000n
const HELICON_RAMP = 90n * 86_400n * SECOND

/**
 * Returns the lower consumption rate of the primary network for a stake that starts at this time. From Helicon on it moves within 90 days
 * from the network's own to 75,000 millionths, unless the network's upper rate is below that. `start` is Unix seconds, `helicon` Unix nanoseconds. ACP-285.
 */
export function minConsumptionRateAt(config: RewardConfig, start: bigint, helicon: bigint): bigint {
  const { minConsumptionRate: rate, maxConsumptionRate } = config
  const elapsed = start * SECOND - helicon
  if (elapsed < 0n || rate === HELICON_MIN_RATE || maxConsumptionRate < HELICON_MIN_RATE) return rate
  const full = rate > HELICON_MIN_RATE ? rate - HELICON_MIN_RATE : HELICON_MIN_RATE - rate
  const change = (full * min(elapsed, HELICON_RAMP)) / HELICON_RAMP
  return rate > HELICON_MIN_RATE ? rate - change : rate + change
}

/**
 * Splits a delegation reward by the validator's shares, in millionths, into that of the validator (delegatee) and that of the delegator. The
 * delegatee gets the rounding difference.
 */
export function splitReward(total: bigint, shares: number): { readonly delegatee: bigint; readonly delegator: bigint } {
  const rest = PERCENT_DENOMINATOR - BigInt(shares)
  const product = rest * total
  // AvalancheGo divides first if the product exceeds 64 bits, and loses precision. The rule is the same here.
  const delegator = product <= MAX64 ? product / PERCENT_DENOMINATOR : rest * (total / PERCENT_DENOMINATOR)
  return { delegatee: total - delegator, delegator }
}

/** The parts of an auto-renewed validator's rewards that are restaked at the end of a cycle that another one follows. */
export interface Restake {
  /** The restaked part of the validation reward, and of the delegation rewards. */
  readonly validation: bigint
  readonly delegatee: bigint
}

/**
 * Returns the parts of two rewards that are restaked by these shares (millionths), including the rounding difference. If they exceed the
 * maximum stake, they share the available room in proportion.
 */
export function restakeOf(rewards: Restake, shares: number, room: bigint): Restake {
  const validation = splitReward(rewards.validation, shares).delegatee
  const delegatee = splitReward(rewards.delegatee, shares).delegatee
  const total = add64(validation, delegatee)
  if (total <= room) return { validation, delegatee }
  const fitting = (validation * room) / total
  return { validation: fitting, delegatee: room - fitting }
}
