import { descendingKey } from "../../state/key.js"
import { tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"

/** The height of the last change of a subnet's set, up to a height or to the tip: until the next one the set is the same. */
export function lastSetChange(view: View, subnetID: ID, upTo?: bigint): bigint | undefined {
  let last: bigint | undefined
  const range = changesUpTo(subnetID, upTo)
  for (const table of [tables.weightDiffs, tables.keyDiffs]) {
    for (const [key] of view.rows<{ readonly height: bigint }, unknown>(table as never, range)) {
      if (last === undefined || key.height > last) last = key.height
      break
    }
  }
  return last
}

/** The rows of a subnet's changes up to a height or to the tip, newest first. */
export function changesUpTo(subnetID: ID, upTo: bigint | undefined) {
  return upTo === undefined ? { prefix: subnetID } : { prefix: subnetID, from: `${subnetID}${descendingKey.toText(upTo)}` }
}

/** Every subnet whose set ever changed; the table is sorted by subnet, so each is one step. */
export function* subnetsWithChanges(view: View): Iterable<ID> {
  for (let from = ""; ; ) {
    const [row] = first(view.rows(tables.weightDiffs, { from }))
    if (!row) return
    const { subnetID } = row[0]
    yield subnetID
    from = `${subnetID}${"f".repeat(tables.weightDiffs.key.width - subnetID.length)}`
  }
}

function first<T>(rows: Iterable<T>): [T] | [] {
  for (const row of rows) return [row]
  return []
}
