import { optional } from "../codec/optional.js"
import { fixedBytes, u8, u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { type ID, ID_SIZE, id, NODE_ID_SIZE, type NodeID, nodeID } from "../types/id.js"
import { compoundKey, hexKey, u64Key, uintKey } from "./key.js"

/**
 * The order of stakers that are due in the same second: stakers of subnets come before those of the primary network, and delegators before
 * validators, so that no staker outlives the one it depends on.
 */
export const Priority = {
  primaryDelegatorApricotPending: 1,
  primaryValidatorPending: 2,
  primaryDelegatorPending: 3,
  subnetPermissionlessValidatorPending: 4,
  subnetPermissionlessDelegatorPending: 5,
  subnetPermissionedValidatorPending: 6,
  subnetPermissionedValidatorCurrent: 7,
  subnetPermissionlessDelegatorCurrent: 8,
  subnetPermissionlessValidatorCurrent: 9,
  primaryDelegatorCurrent: 10,
  primaryValidatorCurrent: 11,
} as const

const promotions: Readonly<Record<number, number>> = { 1: 10, 2: 11, 3: 10, 4: 9, 5: 8, 6: 7 }

/** Returns the priority of a pending staker once it is current. */
export function asCurrentStaker(priority: number): number {
  const current = promotions[priority]
  if (current === undefined) throw new Error(`priority ${priority} is not a pending one`)
  return current
}

export const isPermissioned = (priority: number): boolean => priority === 6 || priority === 7
export const isValidator = (priority: number): boolean => [2, 4, 6, 7, 9, 11].includes(priority)
export const isCurrent = (priority: number): boolean => priority >= 7

const order = { nextTime: u64Key, priority: uintKey(1), txID: hexKey<ID>(ID_SIZE) }
const validator = { subnetID: hexKey<ID>(ID_SIZE), nodeID: hexKey<NodeID>(NODE_ID_SIZE) }

/** Key of a staker in the order of its set: the time it is due (Unix seconds), priority, transaction. */
export const stakerKey = compoundKey(order)

/** A staker: a validator or delegator, pending or current. Times in Unix seconds. */
export const staker = struct({
  txID: id,
  nodeID,
  subnetID: id,
  /** The compressed BLS key; only validators of the primary network have one. */
  publicKey: optional(fixedBytes(48)),
  weight: u64,
  startTime: u64,
  endTime: u64,
  potentialReward: u64,
  /** The end for current stakers, the start for pending ones. */
  nextTime: u64,
  priority: u8,
})
export type Staker = TypeOf<typeof staker>

export const validatorKey = compoundKey(validator)
export interface ValidatorKey {
  readonly subnetID: ID
  readonly nodeID: NodeID
}

/** Key of a delegator: its validator, then the order of stakers. */
export const delegatorKey = compoundKey({ ...validator, ...order })
