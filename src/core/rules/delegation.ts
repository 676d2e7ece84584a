import { add64, clamp64, MAX64, max, min } from "../lib/math64.js"
import { compare } from "../lib/mergeSorted.js"
import { asCurrentStaker, type Staker, stakerKey } from "../state/staker.js"
import { delegatorsOf } from "../state/stakers.js"
import type { View } from "../state/view.js"
import type { ID } from "../types/id.js"
import { rulesError } from "./errors.js"
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

export interface WeightChange {
  readonly txID: ID
  readonly time: bigint
  readonly joins: boolean
  readonly weight: bigint
  /** The order among stakers that leave in the same second. Stakers that start keep the order of the list. */
  readonly order: string
}

/**
 * Returns the largest weight of a validator at any second of a period, both ends included: its own stake and that of its delegators,
 * including pending ones.
 */
export function maxWeight(view: View, validator: Staker, start: bigint, end: bigint): bigint {
  const current = [...delegatorsOf(view, "current", validator)]
  let weight = validator.weight
  for (const delegator of current) weight = add64(weight, delegator.weight)
  let peak = 0n
  for (const change of weightChanges(current, [...delegatorsOf(view, "pending", validator)])) {
    if (change.time > end) break
    if (change.time >= start) peak = max(peak, weight)
    weight = change.joins ? add64(weight, change.weight) : weight - change.weight
  }
  return max(peak, weight)
}

/** Returns the starts and ends of all stakers in order. In one second starts come first, so that both count. */
export function weightChanges(current: readonly Staker[], pending: readonly Staker[]): WeightChange[] {
  const changes: WeightChange[] = []
  for (const staker of current) {
    const { txID, endTime, weight, priority } = staker
    changes.push({ txID, time: endTime, joins: false, weight, order: orderOf(staker, endTime, priority) })
  }
  for (const staker of pending) {
    const { txID, startTime, endTime, weight, priority } = staker
    changes.push({ txID, time: startTime, joins: true, weight, order: "" })
    changes.push({ txID, time: endTime, joins: false, weight, order: orderOf(staker, endTime, asCurrentStaker(priority)) })
  }
  return changes.sort((a, b) => compare(a.time, b.time) || Number(b.joins) - Number(a.joins) || compare(a.order, b.order))
}

function orderOf({ txID }: Staker, nextTime: bigint, priority: number): string {
  return stakerKey.toText({ nextTime, priority, txID })
}
