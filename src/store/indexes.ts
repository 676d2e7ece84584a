import { type AnyTable, listedIn } from "../core/state/table.js"
import type { Edit, Edits } from "../core/state/view.js"
import type { StoreTables } from "./store.js"

/** Returns the value of a row before the commit. */
export type OldValue = (table: AnyTable, keyText: string) => unknown

const unlisted: Edit = { value: undefined, isNew: false }

/** Returns the edits of the index tables that follow from edits of rows: entries that are removed, added, or have a new value. */
export function indexEdits(edits: Edits, oldValue: OldValue): Edits {
  const all = new Map<AnyTable, Map<string, Edit>>()
  for (const [table, rows] of edits) {
    if (table.indexes.length === 0) continue
    for (const [text, { value, isNew }] of rows) {
      const old = isNew ? undefined : oldValue(table, text)
      for (const index of table.indexes) {
        const before = old === undefined ? [] : index.keysOf(text, old)
        const after = value === undefined ? [] : index.keysOf(text, value)
        if (before.length + after.length === 0) continue
        const changes = editsOf(all, index.table)
        for (const key of before) if (!after.includes(key)) changes.set(key, unlisted)
        const listed = after.length > 0 ? { value: listedIn(index, value), isNew: false } : unlisted
        for (const key of after) if (index.listedOf || !before.includes(key)) changes.set(key, listed)
      }
    }
  }
  return all
}

function editsOf(all: Map<AnyTable, Map<string, Edit>>, table: AnyTable): Map<string, Edit> {
  let edits = all.get(table)
  if (!edits) {
    edits = new Map()
    all.set(table, edits)
  }
  return edits
}

/** Returns the tables that the store maintains itself, as indexes of others. */
function indexTables(tables: readonly AnyTable[]): ReadonlySet<AnyTable> {
  return new Set(tables.flatMap((table) => table.indexes.map((index) => index.table)))
}

/** Returns every table of a store, each once. Throws if two share a name. */
export function tablesOf({ tables = [], tablesBesideChain = [] }: StoreTables): readonly AnyTable[] {
  const all = new Set([...tables, ...indexTables(tables), ...tablesBesideChain, ...indexTables(tablesBesideChain)])
  const names = new Set<string>()
  for (const { name } of all) {
    if (names.has(name)) throw new Error(`two tables are called ${name}`)
    names.add(name)
  }
  return [...all]
}
