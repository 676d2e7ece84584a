import type { RootDatabase } from "lmdb"
import { type AnyTable, type Index, listedIn } from "../state/table.js"
import type { LmdbTable } from "./lmdbTable.js"
import type { OpenTables } from "./lmdbView.js"

/** Rows at a time; see `LmdbStore`. */
const PART_ROWS = 1000

/** An index that a store lacks though it has the table. */
export interface MissingIndex {
  readonly table: AnyTable
  readonly index: Index<unknown>
}

/** The indexes of tables that an earlier version wrote and did not list in them, by the names of what is there. */
export function missingIndexes(tables: readonly AnyTable[], names: readonly string[]): MissingIndex[] {
  const there = tables.filter(({ name }) => names.includes(name))
  const all = there.flatMap((table) => table.indexes.map((index) => ({ table, index })))
  return all.filter(({ index }) => !names.includes(index.table.name))
}

/** Lists all rows of a table in an index that is new to the store. Inside a transaction: a kill leaves it as new as before. */
export function fillIndex(root: RootDatabase, opened: OpenTables, { table, index }: MissingIndex): void {
  const [source, target] = [opened.get(table), opened.get(index.table)] as [LmdbTable, LmdbTable]
  const keys = source.keys()
  for (let from = 0; from < keys.length; from += PART_ROWS) {
    const listed = new Map<string, unknown>()
    for (const key of keys.slice(from, from + PART_ROWS)) {
      const row = source.get(key, undefined)
      const value = listedIn(index, row)
      for (const each of index.keysOf(key, row)) listed.set(each, value)
    }
    root.transactionSync(() => {
      for (const each of [...listed.keys()].sort()) target.put(each, listed.get(each))
    })
  }
}
