import type { RootDatabase } from "lmdb"
import { type AnyTable, type Index, listedIn } from "../core/state/table.js"
import type { LmdbMeta } from "./lmdbMeta.js"
import type { LmdbTable } from "./lmdbTable.js"
import type { OpenTables } from "./lmdbView.js"
import { SCHEMA } from "./meta.js"

/** The oldest schema that can be brought up to date. */
export const OLDEST_SCHEMA = 1

/** Rows at a time: a transaction of LMDB's has no room for those of a very large table at once. */
const PART_ROWS = 1000

/** Told how far it has come: so many of all rows of a table. */
export type OnPart = (done: number, of: number) => void

/** Tables of schema 1 that nobody reads any more: an index of UTXOs by owner that listed nothing of them, and whole validator sets. */
const RETIRED = ["utxosByAddress", "setCheckpoints"]

/**
 * Brings a store of an older schema up to date: indexes that list something are made from the rows. The schema is noted last, so that
 * after a kill all is done again.
 */
export function upgrade(root: RootDatabase, tables: OpenTables, meta: LmdbMeta, onPart: OnPart): void {
  for (const table of tables.keys()) {
    for (const index of table.indexes) if (index.listedOf) fillIndex(root, tables, table, index, onPart)
  }
  root.transactionSync(() => {
    for (const name of RETIRED) root.openDB(name, { encoding: "binary", keyEncoding: "binary" }).clearSync()
    meta.put({ schema: SCHEMA })
  })
}

/** Lists all rows of a table in an index. */
function fillIndex(root: RootDatabase, tables: OpenTables, table: AnyTable, index: Index<unknown>, onPart: OnPart): void {
  const [source, target] = [tables.get(table), tables.get(index.table)] as [LmdbTable, LmdbTable]
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
    onPart(Math.min(from + PART_ROWS, keys.length), keys.length)
  }
}
