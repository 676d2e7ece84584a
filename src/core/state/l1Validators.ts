import { equalBytes } from "../lib/bytes.js"
import { add64, sub64 } from "../lib/math64.js"
import { EMPTY_NODE_ID, type ID, idText, nodeIDText } from "../types/id.js"
import type { PChainOwner } from "../types/owners.js"
import type { Diff } from "./diff.js"
import { stateError } from "./errors.js"
import { addWeight, removeWeight } from "./members.js"
import { type L1Validator, tables } from "./tables.js"
import type { View } from "./view.js"

/** Returns whether an L1 validator is active: it has weight and a balance to pay from. */
export const isActiveL1 = ({ weight, endAccumulatedFee }: L1Validator): boolean => weight > 0n && endAccumulatedFee > 0n

/** Returns the number of active L1 validators of all subnets. */
export function activeL1Count(view: View): bigint {
  return view.get(tables.activeL1Count, null) ?? 0n
}

/** Returns the total weight of a subnet's L1 validators, active or not. */
export function l1WeightOf(view: View, subnetID: ID): bigint {
  return view.get(tables.l1Weights, subnetID) ?? 0n
}

/**
 * Stores an L1 validator: a new one, a changed one, or (with weight 0) a removed one. It updates the order of active ones, the index by
 * node, the total weight and the validator set. Throws `state.l1_validator_*` and `math.overflow`.
 */
export function putL1Validator(diff: Diff, validationID: ID, validator: L1Validator): void {
  const before = diff.get(tables.l1Validators, validationID)
  if (before) checkIsTheSame(validationID, before, validator)
  else checkNodeIsFree(diff, validator)
  if (before?.weight !== validator.weight) {
    const total = add64(sub64(l1WeightOf(diff, validator.subnetID), before?.weight ?? 0n), validator.weight)
    diff.put(tables.l1Weights, validator.subnetID, total)
  }
  if (before) leave(diff, validationID, before)
  if (validator.weight > 0n) join(diff, validationID, validator)
  else diff.delete(tables.l1Validators, validationID)
}

/** Weight, nonce and balance may change; all other fields may not. */
function checkIsTheSame(validationID: ID, before: L1Validator, after: L1Validator): void {
  const isSame =
    before.subnetID === after.subnetID &&
    before.nodeID === after.nodeID &&
    before.startTime === after.startTime &&
    equalBytes(before.publicKey, after.publicKey) &&
    sameOwner(before.remainingBalanceOwner, after.remainingBalanceOwner) &&
    sameOwner(before.deactivationOwner, after.deactivationOwner)
  if (!isSame) throw stateError("state.l1_validator_mutated", { validationID: idText(validationID) })
}

function sameOwner(a: PChainOwner, b: PChainOwner): boolean {
  return a === b || (a.threshold === b.threshold && a.addresses.join() === b.addresses.join())
}

function checkNodeIsFree(diff: Diff, validator: L1Validator): void {
  const data = { subnetID: idText(validator.subnetID), nodeID: nodeIDText(validator.nodeID) }
  if (diff.get(tables.currentValidators, validator)) throw stateError("state.l1_validator_conflict", data)
  if (diff.get(tables.l1ValidationIDs, validator)) throw stateError("state.l1_validator_duplicate", data)
}

function leave(diff: Diff, validationID: ID, validator: L1Validator): void {
  diff.delete(tables.l1ValidationIDs, validator)
  removeWeight(diff, memberKey(validator), validator.weight)
  if (!isActiveL1(validator)) return
  diff.delete(tables.activeL1Validators, { endAccumulatedFee: validator.endAccumulatedFee, validationID })
  diff.put(tables.activeL1Count, null, activeL1Count(diff) - 1n)
}

function join(diff: Diff, validationID: ID, validator: L1Validator): void {
  diff.put(tables.l1Validators, validationID, validator)
  diff.put(tables.l1ValidationIDs, validator, validationID)
  const isActive = isActiveL1(validator)
  addWeight(diff, memberKey(validator), validator.weight, isActive ? validator.publicKey : undefined)
  if (!isActive) return
  diff.put(tables.activeL1Validators, { endAccumulatedFee: validator.endAccumulatedFee, validationID }, null)
  diff.put(tables.activeL1Count, null, activeL1Count(diff) + 1n)
}

/** Inactive validators count under the empty node ID, without a key. */
function memberKey(validator: L1Validator) {
  return { subnetID: validator.subnetID, nodeID: isActiveL1(validator) ? validator.nodeID : EMPTY_NODE_ID }
}
