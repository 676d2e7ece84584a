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
  // The reference subtracts 64-bit numbers: a cap below the supply wraps around instead of leaving nothing.
  const remaining = BigInt.asUintN(64, config.supplyCap - supply)
  const rate = (maxConsumptionRate - minConsumptionRate) * staked + minConsumptionRate * period
  // One division gives what the reference's three in a row do.
  return min(remaining, (remaining * rate * stake * staked) / (period * PERCENT_DENOMINATOR * supply * period))
}

/** The minimum consumption rate that Helicon leads to, and how long the way takes in seconds (ACP-285). */
const HELICON_MIN_RATE = 75_000n
const HELICON_RAMP = 90n * 86_400n

/**
 * The lower consumption rate of the primary network for a stake that starts at this time. From Helicon on it moves within 90 days from
 * the network's own to 75,000 millionths, unless the network's upper rate is below that. Times in Unix seconds. ACP-285.
 */
export function minConsumptionRateAt(config: RewardConfig, start: bigint, helicon: bigint): bigint {
  const { minConsumptionRate: rate, maxConsumptionRate } = config
  if (start < helicon || rate === HELICON_MIN_RATE || maxConsumptionRate < HELICON_MIN_RATE) return rate
  const full = rate > HELICON_MIN_RATE ? rate - HELICON_MIN_RATE : HELICON_MIN_RATE - rate
  const change = (full * min(start - helicon, HELICON_RAMP)) / HELICON_RAMP
  return rate > HELICON_MIN_RATE ? rate - change : rate + change
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
  // AvalancheGo divides first where the product exceeds 64 bits, and loses precision. The rule is the same here.
  const delegator = product <= MAX64 ? product / PERCENT_DENOMINATOR : rest * (total / PERCENT_DENOMINATOR)
  return { delegatee: total - delegator, delegator }
}

/** The division of an auto-renewed validator's rewards at the end of a cycle that another one follows. */
export interface Restake {
  /** The part of the validation reward that is staked on, and of what delegations earned. */
  readonly validation: bigint
  readonly delegatee: bigint
}

/**
 * The parts of two rewards that are restaked by these shares (millionths), with what rounding leaves. Where they do not fit into the
 * room below the maximum stake, they share it in proportion.
 */
export function restakeOf(rewards: Restake, shares: number, room: bigint): Restake {
  const validation = splitReward(rewards.validation, shares).delegatee
  const delegatee = splitReward(rewards.delegatee, shares).delegatee
  const total = add64(validation, delegatee)
  if (total <= room) return { validation, delegatee }
  const fitting = (validation * room) / total
  return { validation: fitting, delegatee: room - fitting }
}
