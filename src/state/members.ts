import { add64, sub64 } from "../lib/math64.js"
import type { Diff } from "./diff.js"
import type { ValidatorKey } from "./staker.js"
import { tables } from "./tables.js"

/** Adds weight to a member of a validator set. A member that was not there takes the key with it. */
export function addWeight(diff: Diff, key: ValidatorKey, weight: bigint, publicKey: readonly Uint8Array[]): void {
  const member = diff.get(tables.members, key)
  if (member) diff.put(tables.members, key, { ...member, weight: add64(member.weight, weight) })
  else if (weight > 0n) diff.put(tables.members, key, { weight, publicKey })
}

/** Takes weight off a member; without weight it is no member any more. */
export function removeWeight(diff: Diff, key: ValidatorKey, weight: bigint): void {
  const member = diff.get(tables.members, key)
  if (!member) throw new Error(`no member ${key.nodeID} of ${key.subnetID}`)
  const rest = sub64(member.weight, weight)
  if (rest === 0n) diff.delete(tables.members, key)
  else diff.put(tables.members, key, { ...member, weight: rest })
}
