import { add64, sub64 } from "../lib/math64.js"
import type { Diff } from "./diff.js"
import type { ValidatorKey } from "./staker.js"
import { tables } from "./tables.js"

/** Adds weight to a member of a validator set, and the key that comes with it, where the member has none yet. */
export function addWeight(diff: Diff, key: ValidatorKey, weight: bigint, publicKey: readonly Uint8Array[]): void {
  const member = diff.get(tables.members, key)
  const known = member && member.publicKey.length > 0 ? member.publicKey : publicKey
  const total = add64(member?.weight ?? 0n, weight)
  if (total > 0n) diff.put(tables.members, key, { weight: total, publicKey: known })
}

/** Takes weight off a member; without weight it is no member any more. */
export function removeWeight(diff: Diff, key: ValidatorKey, weight: bigint): void {
  const member = diff.get(tables.members, key)
  if (!member) throw new Error(`no member ${key.nodeID} of ${key.subnetID}`)
  const rest = sub64(member.weight, weight)
  if (rest === 0n) diff.delete(tables.members, key)
  else diff.put(tables.members, key, { ...member, weight: rest })
}
