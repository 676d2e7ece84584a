import { add64, clamp64, MAX64, min } from "../lib/math64.js"
import type { Staker } from "../state/staker.js"
import type { View } from "../state/view.js"
import { rulesError } from "./errors.js"
import { maxWeight } from "./maxWeight.js"
import { MAX_VALIDATOR_WEIGHT_FACTOR } from "./staking.js"

/** A delegation to be added: its period (Unix seconds), its weight, and the limit of the validator. */
export interface Delegation {
  readonly start: bigint
  readonly end: bigint
  readonly weight: bigint
  readonly limit: bigint
  /** The asset of a subnet that has its own. */
  readonly asset?: string | undefined
}

/** Returns the largest weight of a validator with its delegators: a multiple of its own weight, and at most the maximum. */
export function delegationLimit(weight: bigint, factor: bigint, maxValidatorStake: bigint): bigint {
  return min(clamp64(factor * weight), maxValidatorStake)
}

/** Returns the limit for the first kind of delegators, which had no maximum before Apricot Phase 3. Throws `rules.stake_overflow`. */
export function apricotDelegationLimit(weight: bigint, maxValidatorStake: bigint | undefined): bigint {
  const limit = MAX_VALIDATOR_WEIGHT_FACTOR * weight
  if (limit > MAX64) throw rulesError("rules.stake_overflow", { weight })
  return maxValidatorStake === undefined ? limit : min(limit, maxValidatorStake)
}

/** Throws `rules.over_delegated` if the validator would exceed its limit at any second of the period. */
export function checkNotOverDelegated(view: View, validator: Staker, { start, end, weight, limit, asset }: Delegation): void {
  const peak = add64(maxWeight(view, validator, start, end), weight)
  if (peak > limit) throw rulesError("rules.over_delegated", { weight: peak, limit, asset })
}
