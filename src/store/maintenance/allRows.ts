import { type AnyPrimaryTable, type AnyTable, isPrimary } from "../../core/state/table.js"
import type { Edit, PrimaryEdits, View } from "../../core/state/view.js"

/** Returns every row of these tables as a commit into an empty store. Index tables are omitted, because the store derives them. */
export function allRows(view: View, tables: readonly AnyTable[]): PrimaryEdits {
  const edits = new Map<AnyPrimaryTable, Map<string, Edit>>()
  for (const table of tables.filter(isPrimary)) {
    const rows = new Map<string, Edit>()
    for (const [key, value] of view.rows(table)) rows.set(table.key.toText(key), { value, isNew: true })
    if (rows.size > 0) edits.set(table, rows)
  }
  return edits
}
