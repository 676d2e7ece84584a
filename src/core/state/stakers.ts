import type { Bls } from "../crypto/bls.js"
import { sub64 } from "../lib/math64.js"
import { idText, nodeIDText, PRIMARY_NETWORK_ID } from "../types/id.js"
import type { Diff } from "./diff.js"
import { stateError } from "./errors.js"
import { addWeight, removeWeight } from "./members.js"
import { isValidator, type Staker, type ValidatorKey } from "./staker.js"
import { type Renewal, tables } from "./tables.js"
import type { View } from "./view.js"

/** Returns the validator of a subnet at a node: the current one, otherwise the pending one. */
export function validatorOf(view: View, key: ValidatorKey): Staker | undefined {
  return view.get(tables.currentValidators, key) ?? view.get(tables.pendingValidators, key)
}

/** Returns the delegators of a validator in the order of stakers. */
export function* delegatorsOf(view: View, set: "current" | "pending", key: ValidatorKey): Iterable<Staker> {
  const table = set === "current" ? tables.currentDelegators : tables.pendingDelegators
  for (const [, delegator] of view.rows(table, { under: { subnetID: key.subnetID, nodeID: key.nodeID } })) yield delegator
}

export interface AddStaker {
  /** True from Helicon on, when a validator may return in the block that removed it. */
  readonly mayReturn?: boolean
}

interface AddCurrentStaker extends AddStaker {
  /** The curve of the validators' keys. */
  readonly bls: Bls
}

/**
 * Adds a staker to the current set, and its weight to the validator set. Throws `state.staker_re_added`, `state.validator_exists`, and for a
 * delegator `state.no_current_validator`.
 */
export function addCurrentStaker(diff: Diff, staker: Staker, { bls, mayReturn = false }: AddCurrentStaker): void {
  const { nextTime, priority, txID } = staker
  if (isValidator(priority)) {
    if (diff.get(tables.currentValidators, staker)) throw stateError("state.validator_exists", stakerData(staker))
    if (!mayReturn && diff.hasDeleted(tables.currentValidators, staker))
      throw stateError("state.staker_re_added", stakerData(staker)).withStep("putting validator: ")
    diff.insert(tables.currentValidators, staker, staker)
  } else {
    requireCurrentValidator(diff, staker)
    diff.insert(tables.currentDelegators, staker, staker)
  }
  diff.insert(tables.currentStakers, { nextTime, priority, txID }, staker)
  addWeight(diff, staker, staker.weight, isValidator(priority) ? keyOf(diff, staker, bls) : undefined)
}

/**
 * Removes a staker from the current set. For a validator it also removes the rewards of its delegations and its renewal. Throws
 * `state.no_current_validator`, and for a validator that still has delegators `state.validator_has_delegators`.
 */
export function deleteCurrentStaker(diff: Diff, staker: Staker): void {
  requireCurrentValidator(diff, staker)
  if (isValidator(staker.priority)) {
    for (const _ of delegatorsOf(diff, "current", staker)) throw stateError("state.validator_has_delegators", stakerData(staker))
    diff.delete(tables.currentValidators, staker)
    if (diff.get(tables.delegateeRewards, staker) !== undefined) diff.delete(tables.delegateeRewards, staker)
    if (diff.get(tables.renewals, staker) !== undefined) diff.delete(tables.renewals, staker)
  } else {
    diff.delete(tables.currentDelegators, staker)
  }
  diff.delete(tables.currentStakers, staker)
  removeWeight(diff, staker, staker.weight)
}

/**
 * Replaces an auto-renewed validator by itself in its next cycle. Its weight never decreases, and its key stays. The rewards of delegations
 * in the ended cycle are removed from the state.
 */
export function renewCurrentValidator(diff: Diff, ended: Staker, next: Staker, renewal: Renewal): void {
  for (const _ of delegatorsOf(diff, "current", ended)) throw stateError("state.validator_has_delegators", stakerData(ended))
  diff.put(tables.currentValidators, next, next)
  diff.delete(tables.currentStakers, ended)
  diff.insert(tables.currentStakers, next, next)
  addWeight(diff, next, sub64(next.weight, ended.weight), undefined)
  if (diff.get(tables.delegateeRewards, ended) !== undefined) diff.delete(tables.delegateeRewards, ended)
  diff.put(tables.renewals, next, renewal)
}

export function addPendingStaker(diff: Diff, staker: Staker, { mayReturn = false }: AddStaker = {}): void {
  if (isValidator(staker.priority)) {
    if (!mayReturn && diff.hasDeleted(tables.pendingValidators, staker))
      throw stateError("state.staker_re_added", stakerData(staker))
    diff.insert(tables.pendingValidators, staker, staker)
  } else {
    diff.insert(tables.pendingDelegators, staker, staker)
  }
  diff.insert(tables.pendingStakers, staker, staker)
}

export function deletePendingStaker(diff: Diff, staker: Staker): void {
  diff.delete(isValidator(staker.priority) ? tables.pendingValidators : tables.pendingDelegators, staker)
  diff.delete(tables.pendingStakers, staker)
}

/** Throws `state.no_current_validator` if this subnet has no validator at this node. */
function requireCurrentValidator(view: View, key: Staker): void {
  if (!view.get(tables.currentValidators, key)) throw stateError("state.no_current_validator", stakerData(key))
}

/** Returns the uncompressed key of a new validator: its own on the primary network, otherwise the key of its node there. */
function keyOf(diff: Diff, { subnetID, nodeID, publicKey }: Staker, bls: Bls): Uint8Array | undefined {
  if (subnetID === PRIMARY_NETWORK_ID) return publicKey && bls.decompressKey(publicKey)
  return diff.get(tables.members, { subnetID: PRIMARY_NETWORK_ID, nodeID })?.publicKey
}

const stakerData = ({ subnetID, nodeID }: Staker) => ({ subnetID: idText(subnetID), nodeID: nodeIDText(nodeID) })
