import type { Bls } from "../crypto/bls.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import type { Diff } from "./diff.js"
import type { ValidatorKey } from "./staker.js"
import { heightOf, tables } from "./tables.js"

/**
 * Gives a member of a validator set another BLS key (compressed), as of the last accepted block. No transaction does that; it is for
 * private chains. Returns whether the set has such a member.
 */
export function replaceValidatorKey(diff: Diff, { subnetID, nodeID }: ValidatorKey, compressed: Uint8Array, bls: Bls): boolean {
  const key = { subnetID, nodeID }
  const member = diff.get(tables.members, key)
  if (!member) return false
  const publicKey = bls.decompressKey(compressed)
  const height = heightOf(diff)
  // If the block itself changed the key too, the older of the two is the one before the block.
  if (diff.get(tables.keyDiffs, { ...key, height }) === undefined) {
    diff.put(tables.keyDiffs, { ...key, height }, { publicKey: member.publicKey })
  }
  diff.put(tables.members, key, { ...member, publicKey })
  const validationID = diff.get(tables.l1ValidationIDs, key)
  const l1Validator = validationID && diff.get(tables.l1Validators, validationID)
  if (l1Validator) diff.put(tables.l1Validators, validationID, { ...l1Validator, publicKey })
  if (subnetID === PRIMARY_NETWORK_ID) replaceStakerKey(diff, key, compressed)
  return true
}

function replaceStakerKey(diff: Diff, key: ValidatorKey, publicKey: Uint8Array): void {
  const staker = diff.get(tables.currentValidators, key)
  if (!staker) return
  diff.put(tables.currentValidators, key, { ...staker, publicKey })
  diff.put(tables.currentStakers, staker, { ...staker, publicKey })
}
