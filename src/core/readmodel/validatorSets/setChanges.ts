import type { Range } from "../../state/range.js"
import { type SetChangeKey, setChangeTables, tables } from "../../state/tables.js"
import type { View } from "../../state/view.js"
import type { ID } from "../../types/id.js"

/** The height of the last change of a subnet's set, up to a height or to the tip: until the next one the set is the same. */
export function lastSetChange(view: View, subnetID: ID, upTo?: bigint): bigint | undefined {
  let last: bigint | undefined
  const range = changesUpTo(subnetID, upTo)
  for (const table of setChangeTables) {
    for (const [key] of view.rows(table, range)) {
      if (last === undefined || key.height > last) last = key.height
      break
    }
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
    const [row] = first(view.rows(tables.weightDiffs, range))
    if (!row) return
    const { subnetID } = row[0]
    yield subnetID
    range = { after: { subnetID } }
  }
}

function first<T>(rows: Iterable<T>): [T] | [] {
  for (const row of rows) return [row]
  return []
}
