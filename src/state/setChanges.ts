import type { Diff } from "./diff.js"
import { validatorKey } from "./staker.js"
import { type Member, tables } from "./tables.js"

/**
 * Notes how the validator sets changed in a diff, under a height: the change of each member's weight, and the key it
 * had before. Undone from the newest on, these give the sets of the past.
 */
export function recordSetChanges(diff: Diff, height: bigint): void {
  for (const text of [...(diff.edits.get(tables.members)?.keys() ?? [])]) {
    const key = validatorKey.fromText(text)
    const before = diff.parent.get(tables.members, key)
    const after = diff.get(tables.members, key)
    const change = (after?.weight ?? 0n) - (before?.weight ?? 0n)
    const at = { ...key, height }
    if (change !== 0n) {
      diff.put(tables.weightDiffs, at, { decrease: change < 0n, amount: change < 0n ? -change : change })
    }
    if (!sameKey(before, after)) diff.put(tables.keyDiffs, at, before?.publicKey ?? [])
  }
}

function sameKey(before: Member | undefined, after: Member | undefined): boolean {
  const [a, b] = [before?.publicKey[0], after?.publicKey[0]]
  if (!a || !b) return a === b
  return Buffer.compare(a, b) === 0
}
