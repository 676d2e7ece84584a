import type { AnyTable } from "../core/state/table.js"
import type { Edit, Edits, View } from "../core/state/view.js"
import { indexTables } from "./indexes.js"

/** Every row of these tables as a commit into an empty store. Index tables are left out: they follow. */
export function allRows(view: View, tables: readonly AnyTable[]): Edits {
  const indexes = indexTables(tables)
  const edits = new Map<AnyTable, Map<string, Edit>>()
  for (const table of tables) {
    if (indexes.has(table)) continue
    const rows = new Map<string, Edit>()
    for (const [key, value] of view.rows(table)) rows.set(table.key.toText(key), { value, isNew: true })
    if (rows.size > 0) edits.set(table, rows)
  }
  return edits
}
