import type { AnyTable } from "../core/state/table.js"
import type { Edit, Edits } from "../core/state/view.js"
import { indexEdits, type OldValue } from "./indexes.js"

/** The number of rows of a table in one part, besides the rows of its indexes. Writing them takes some milliseconds. */
const PART_ROWS = 500

/** Divides the rows of a commit into parts, each with the changes of the indexes over its rows. Rows are in the order of their keys. */
export function* editParts(edits: Edits, oldValue: OldValue): Iterable<Edits> {
  for (const [table, rows] of edits) {
    const texts = [...rows.keys()].sort()
    for (let from = 0; from < texts.length; from += PART_ROWS) {
      const part = new Map(texts.slice(from, from + PART_ROWS).map((text) => [text, rows.get(text) as Edit]))
      const own: [AnyTable, ReadonlyMap<string, Edit>][] = [[table, part]]
      yield new Map([...own, ...indexEdits(new Map(own), oldValue)])
    }
  }
}
