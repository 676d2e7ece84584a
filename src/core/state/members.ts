import { add64, sub64 } from "../lib/math64.js"
import type { Diff } from "./diff.js"
import type { ValidatorKey } from "./staker.js"
import { type Member, tables } from "./tables.js"

/** Adds weight to a member of a validator set, and sets its key if it has none yet. */
export function addWeight(diff: Diff, key: ValidatorKey, weight: bigint, publicKey: Member["publicKey"]): void {
  const member = diff.get(tables.members, key)
  const known = member?.publicKey ?? publicKey
  const total = add64(member?.weight ?? 0n, weight)
  if (total > 0n) diff.put(tables.members, key, { weight: total, publicKey: known })
}

/** Subtracts weight from a member, and removes a member whose weight is then zero. */
export function removeWeight(diff: Diff, key: ValidatorKey, weight: bigint): void {
  const member = diff.get(tables.members, key)
  if (!member) throw new Error(`no member ${key.nodeID} of ${key.subnetID}`)
  const rest = sub64(member.weight, weight)
  if (rest === 0n) diff.delete(tables.members, key)
  else diff.put(tables.members, key, { ...member, weight: rest })
}
