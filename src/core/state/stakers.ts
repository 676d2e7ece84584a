import { bls } from "../crypto/backends.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import type { Diff } from "./diff.js"
import { stateError } from "./errors.js"
import { addWeight, removeWeight } from "./members.js"
import { isValidator, type Staker, type ValidatorKey, validatorKey } from "./staker.js"
import { tables } from "./tables.js"
import type { View } from "./view.js"

/** The validator of a subnet at a node: the current one, else the pending one. */
export function validatorOf(view: View, key: ValidatorKey): Staker | undefined {
  return view.get(tables.currentValidators, key) ?? view.get(tables.pendingValidators, key)
}

/** The delegators of a validator in the order of stakers. */
export function* delegatorsOf(view: View, set: "current" | "pending", key: ValidatorKey): Iterable<Staker> {
  const table = set === "current" ? tables.currentDelegators : tables.pendingDelegators
  for (const [, delegator] of view.rows(table, { prefix: validatorKey.toText(key) })) yield delegator
}

/** What adding a staker may do. */
export interface AddStaker {
  /** From Helicon a validator may return in the block that removed it. */
  readonly mayReturn?: boolean
}

/** Adds a staker to the current set, and its weight to the validator set. Throws `state.staker_re_added`. */
export function addCurrentStaker(diff: Diff, staker: Staker, { mayReturn = false }: AddStaker = {}): void {
  const { nextTime, priority, txID } = staker
  if (isValidator(priority)) {
    if (!mayReturn && diff.hasDeleted(tables.currentValidators, staker))
      throw stateError("state.staker_re_added", reAdded(staker))
    diff.insert(tables.currentValidators, staker, staker)
  } else {
    diff.insert(tables.currentDelegators, staker, staker)
  }
  diff.insert(tables.currentStakers, { nextTime, priority, txID }, staker)
  addWeight(diff, staker, staker.weight, isValidator(priority) ? keyOf(diff, staker) : [])
}

/** Takes a staker out of the current set. What its delegations earned goes with a validator. */
export function deleteCurrentStaker(diff: Diff, staker: Staker): void {
  if (isValidator(staker.priority)) {
    diff.delete(tables.currentValidators, staker)
    if (diff.get(tables.delegateeRewards, staker) !== undefined) diff.delete(tables.delegateeRewards, staker)
  } else {
    diff.delete(tables.currentDelegators, staker)
  }
  diff.delete(tables.currentStakers, staker)
  removeWeight(diff, staker, staker.weight)
}

export function addPendingStaker(diff: Diff, staker: Staker, { mayReturn = false }: AddStaker = {}): void {
  if (isValidator(staker.priority)) {
    if (!mayReturn && diff.hasDeleted(tables.pendingValidators, staker))
      throw stateError("state.staker_re_added", reAdded(staker))
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

/** The key a new validator is known by: its own on the primary network, else that of its node there. */
function keyOf(diff: Diff, { subnetID, nodeID, publicKey }: Staker): readonly Uint8Array[] {
  if (subnetID === PRIMARY_NETWORK_ID) return publicKey.map((key) => bls().decompressKey(key))
  return diff.get(tables.members, { subnetID: PRIMARY_NETWORK_ID, nodeID })?.publicKey ?? []
}

const reAdded = ({ subnetID, nodeID }: Staker) => ({ subnetID, nodeID })
