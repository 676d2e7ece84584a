import type { TypeOf } from "../codec/schema.js"
import { equalBytes } from "../lib/bytes.js"
import { add64 } from "../lib/math64.js"
import type { ID } from "../types/id.js"
import type { Diff } from "./diff.js"
import type { Range } from "./range.js"
import { type Member, type SetChangeKey, setChangeTables, tables, type weightDiff } from "./tables.js"
import { firstOf, type View } from "./view.js"

/**
 * Records the changes of validator sets in a diff at a height: the change of each member's weight, and its previous key. Undone from the
 * newest on, they give the sets of the past.
 */
export function recordSetChanges(diff: Diff, height: bigint): void {
  for (const { key, before, after } of diff.changesIn(tables.members)) {
    const lost = changeWeight(UNCHANGED, { decrease: true, amount: before?.weight ?? 0n })
    const change = changeWeight(lost, { decrease: false, amount: after?.weight ?? 0n })
    const at = { ...key, height }
    if (change.amount > 0n) diff.put(tables.weightDiffs, at, change)
    if (!sameKey(before, after)) diff.put(tables.keyDiffs, at, { publicKey: before?.publicKey })
  }
}

/** A change of a weight: its amount and direction. */
export type WeightDiff = TypeOf<typeof weightDiff>

export const UNCHANGED: WeightDiff = { decrease: false, amount: 0n }

/** Combines two changes in a row. If they cancel out, the result has the direction of the later one. Throws `math.overflow`. */
export function changeWeight(earlier: WeightDiff, later: WeightDiff): WeightDiff {
  if (earlier.decrease === later.decrease) return { ...earlier, amount: add64(earlier.amount, later.amount) }
  const rest = earlier.amount - later.amount
  return rest > 0n ? { ...earlier, amount: rest } : { ...later, amount: -rest }
}

function sameKey(before: Member | undefined, after: Member | undefined): boolean {
  const [a, b] = [before?.publicKey, after?.publicKey]
  if (!a || !b) return a === b
  return equalBytes(a, b)
}

/** The height of the last change of a subnet's set, up to a height or to the tip: until the next one the set is the same. */
export function lastSetChange(view: View, subnetID: ID, upTo?: bigint): bigint | undefined {
  let last: bigint | undefined
  const range = changesUpTo(subnetID, upTo)
  for (const table of setChangeTables) {
    const height = firstOf(view.rows(table, range))?.[0].height
    if (height !== undefined && (last === undefined || height > last)) last = height
  }
  return last
}

/** The rows of a subnet's changes up to a height or to the tip, newest first. */
export function changesUpTo(subnetID: ID, upTo: bigint | undefined): Range<SetChangeKey> {
  return upTo === undefined ? { under: { subnetID } } : { under: { subnetID }, from: { height: upTo } }
}

/** Every subnet whose set ever changed; the table is sorted by subnet, so each is one step. */
export function* subnetsWithChanges(view: View): Iterable<ID> {
  for (let range: Range<SetChangeKey> = {}; ; ) {
    const subnetID = firstOf(view.rows(tables.weightDiffs, range))?.[0].subnetID
    if (subnetID === undefined) return
    yield subnetID
    range = { after: { subnetID } }
  }
}
