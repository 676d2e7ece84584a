import { add64, addWrapping64, min, sub64 } from "../lib/math64.js"
import { isActive } from "../networks/upgrades.js"
import type { Diff } from "../state/diff.js"
import { DepartureReason, type FactSource } from "../state/facts.js"
import { activeL1Count, putL1Validator } from "../state/l1Validators.js"
import { asCurrentStaker, isPermissioned, isValidator, Priority, type Staker } from "../state/staker.js"
import { addCurrentStaker, deleteCurrentStaker, deletePendingStaker } from "../state/stakers.js"
import { tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { chainTimeOf, type Rules } from "./context.js"
import { rulesError } from "./errors.js"
import { advanceGas, type GasState } from "./gas.js"
import { advanceExcess, l1FeesOver, secondsRemaining } from "./l1Fee.js"
import { promiseReward } from "./staking.js"

/** Number of seconds that a block can be ahead of the clock. */
const SYNC_BOUND = 10n

export const accruedFeesOf = (view: View): bigint => view.get(tables.accruedFees, null) ?? 0n
export const l1ExcessOf = (view: View): bigint => view.get(tables.l1Excess, null) ?? 0n
export const gasOf = (view: View) => view.get(tables.gas, null) ?? { capacity: 0n, excess: 0n }

/**
 * Returns the next time at which the stakers change (Unix seconds): one leaves or begins, or an L1 validator has used up its balance. It
 * is at most the bound.
 */
export function nextStakerChangeTime(view: View, rules: Rules, bound: bigint): bigint {
  let time = bound
  const current = view.first(tables.currentStakers)
  if (current) time = min(time, current[0].nextTime)
  const pending = view.first(tables.pendingStakers)
  if (pending) time = min(time, pending[0].nextTime)
  const poorest = view.first(tables.activeL1Validators)
  if (!poorest) return time
  const chainTime = chainTimeOf(view)
  const funds = sub64(poorest[0].endAccumulatedFee, accruedFeesOf(view))
  const seconds = secondsRemaining(rules.params.validatorFee, activeL1Count(view), l1ExcessOf(view), time - chainTime, funds)
  return min(time, chainTime + seconds)
}

/** Checks the time of a new block: not before its parent's, not far ahead of the clock, not after a change of stakers. */
export function checkNewChainTime(view: View, rules: Rules, proposed: bigint, now: bigint): void {
  const current = chainTimeOf(view)
  if (proposed < current) throw rulesError("rules.time_backwards", { proposed, current })
  if (proposed > now + SYNC_BOUND) throw rulesError("rules.time_beyond_sync_bound", { proposed, now }).dependingOn("clock")
  const change = nextStakerChangeTime(view, rules, proposed)
  if (proposed > change) throw rulesError("rules.time_past_change", { proposed, change })
}

/** Returns the time of a block made now, and whether a change of stakers limits it. */
export function nextBlockTime(view: View, rules: Rules, now: bigint): { time: bigint; isCapped: boolean } {
  const chainTime = chainTimeOf(view)
  const time = now > chainTime ? now : chainTime
  const change = nextStakerChangeTime(view, rules, time + 1n)
  return time >= change ? { time: change, isCapped: true } : { time, isCapped: false }
}

/** Returns the gas with which a block of this time starts. The time must not be before the chain's time. */
export function gasAt(view: View, rules: Rules, time: bigint): GasState {
  const gas = gasOf(view)
  return isActive(rules.upgrades, "etna", time) ? advanceGas(gas, rules.params.dynamicFee, time - chainTimeOf(view)) : gas
}

/** Returns the staker whose reward must be decided next, and whether it is due at this time (Unix seconds). */
export function nextStakerToReward(view: View, time: bigint): { staker: Staker; isDue: boolean } | undefined {
  const [, first] = view.first(tables.currentStakers) ?? []
  // In most cases no permissioned validator is first, and reading the first row needs no walk over the table.
  if (first && !isPermissioned(first.priority)) return { staker: first, isDue: first.endTime === time }
  for (const [, staker] of view.rows(tables.currentStakers)) {
    // Permissioned validators leave by time alone, whatever stakers follow them.
    if (!isPermissioned(staker.priority)) return { staker, isDue: staker.endTime === time }
  }
  return undefined
}

/** Advances the chain's time, and applies every change that is due on the way. Returns whether the stakers changed. */
export function advanceChainTime(diff: Diff, rules: Rules, newTime: bigint): boolean {
  const oldTime = chainTimeOf(diff)
  // Leaving stakers are read before pending ones are promoted, so that the promoted ones are not among them.
  const leaving = expiredPermissioned(diff, newTime)
  let changed = promotePending(diff, rules, newTime)
  for (const staker of leaving) {
    deleteCurrentStaker(diff, staker)
    diff.record({ kind: "departure", by: "time", stakerID: staker.txID, reason: DepartureReason.expired })
  }
  changed ||= leaving.length > 0
  if (isActive(rules.upgrades, "etna", newTime)) {
    removeExpiries(diff, newTime)
    diff.put(tables.gas, null, gasAt(diff, rules, newTime))
    if (chargeL1Validators(diff, rules, newTime - oldTime)) changed = true
  }
  diff.put(tables.timestamp, null, newTime)
  return changed
}

/** Returns whether the first row of a table is due at a time. Most blocks find none, and reading a first row needs no walk over the table. */
const isDue = (first: bigint | undefined, time: bigint): boolean => first !== undefined && first <= time

function promotePending(diff: Diff, rules: Rules, newTime: bigint): boolean {
  if (!isDue(diff.first(tables.pendingStakers)?.[0].nextTime, newTime)) return false
  const due = []
  for (const [key, staker] of diff.rows(tables.pendingStakers)) {
    if (key.nextTime > newTime) break
    due.push(staker)
  }
  const mayReturn = isActive(rules.upgrades, "helicon", newTime)
  // Rewards are computed in the order of the pending stakers. Delegators may come first among them, but are added after their validators.
  const promotions = due.map((pending) => ({ pending, current: promotedStaker(diff, rules, pending) }))
  const [validators, delegators] = [true, false].map((wanted) =>
    promotions.filter(({ current }) => isValidator(current.priority) === wanted),
  ) as [typeof promotions, typeof promotions]
  for (const { pending, current } of [...validators, ...delegators]) {
    deletePendingStaker(diff, pending)
    addCurrentStaker(diff, current, { mayReturn, bls: rules.crypto.bls })
  }
  return due.length > 0
}

/** Converts a pending staker to a current one, with its reward. */
function promotedStaker(diff: Diff, rules: Rules, staker: Staker): Staker {
  const { startTime: start, endTime, weight, subnetID } = staker
  const isPermissionedOne = staker.priority === Priority.subnetPermissionedValidatorPending
  const stake = { start, duration: endTime - start, weight }
  const potentialReward = isPermissionedOne ? 0n : promiseReward(diff, rules, subnetID, stake, addWrapping64)
  return { ...staker, nextTime: endTime, priority: asCurrentStaker(staker.priority), potentialReward }
}

/** Permissioned validators leave by time alone; everyone else by a reward. They come first, so the first other ends the search. */
function expiredPermissioned(diff: Diff, newTime: bigint): readonly Staker[] {
  const first = diff.first(tables.currentStakers)?.[0]
  if (!first || first.nextTime > newTime || !isPermissioned(first.priority)) return []
  const expired = []
  for (const [key, staker] of diff.rows(tables.currentStakers)) {
    if (key.nextTime > newTime || !isPermissioned(key.priority)) break
    expired.push(staker)
  }
  return expired
}

function removeExpiries(diff: Diff, newTime: bigint): void {
  if (!isDue(diff.first(tables.expiries)?.[0].expiry, newTime)) return
  const passed = []
  for (const [key] of diff.rows(tables.expiries)) {
    if (key.expiry > newTime) break
    passed.push(key)
  }
  for (const key of passed) diff.delete(tables.expiries, key)
}

/**
 * Adds the fees of these seconds to the total that every active L1 validator has to pay, and deactivates validators without enough balance.
 */
function chargeL1Validators(diff: Diff, rules: Rules, seconds: bigint): boolean {
  const fee = rules.params.validatorFee
  const active = activeL1Count(diff)
  const excess = l1ExcessOf(diff)
  const accrued = add64(accruedFeesOf(diff), l1FeesOver(fee, active, excess, seconds), "the fees of an L1 validator")
  diff.put(tables.accruedFees, null, accrued)
  diff.put(tables.l1Excess, null, advanceExcess(active, excess, fee.target, seconds))
  return deactivateL1Validators(diff, "time", (endAccumulatedFee) => endAccumulatedFee <= accrued)
}

/** Deactivates the L1 validators that cannot pay for one more second. The rest of their balance is lost. */
export function sweepLowBalances(diff: Diff, rules: Rules): boolean {
  if (!diff.first(tables.activeL1Validators)) return false
  const next = add64(accruedFeesOf(diff), l1FeesOver(rules.params.validatorFee, activeL1Count(diff), l1ExcessOf(diff), 1n))
  return deactivateL1Validators(diff, "end", (endAccumulatedFee) => endAccumulatedFee < next)
}

function deactivateL1Validators(diff: Diff, by: FactSource, isDry: (endAccumulatedFee: bigint) => boolean): boolean {
  const poorest = diff.first(tables.activeL1Validators)
  if (!poorest || !isDry(poorest[0].endAccumulatedFee)) return false
  const dry = []
  for (const [key] of diff.rows(tables.activeL1Validators)) {
    if (!isDry(key.endAccumulatedFee)) break
    dry.push(key.validationID)
  }
  for (const validationID of dry) {
    const validator = diff.get(tables.l1Validators, validationID)
    if (!validator) throw new Error(`active L1 validator ${validationID} has no row`)
    putL1Validator(diff, validationID, { ...validator, endAccumulatedFee: 0n })
    diff.record({ kind: "runOut", by, validationID })
  }
  return dry.length > 0
}
