import type { Edit } from "../../core/state/view.js"
import { indexEdits } from "../indexes.js"
import type { LmdbConnection } from "./lmdbConnection.js"
import type { LmdbTable } from "./lmdbTable.js"
import type { LmdbWriter } from "./lmdbWriter.js"

/** Called after each part with the number of finished rows of a table, and the number of all its rows. */
export type OnPart = (done: number, of: number) => void

/** Number of rows at a time. An LMDB transaction has no room for those of a very large table at once. */
const PART_ROWS = 1000

/** Rebuilds the index tables from the rows that they list. Until it has ended, the store cannot be opened for anything else. */
export function rebuildAllIndexes(connection: LmdbConnection, writer: LmdbWriter, onPart: OnPart): void {
  const indexed = [...connection.tables.keys()].filter(({ indexes }) => indexes.length > 0)
  const indexTables = indexed.flatMap(({ indexes }) => indexes.map(({ table }) => table))
  writer.write(new Map(), { repair: "indexes" }, new Set(indexTables))
  for (const table of indexed) {
    const opened = connection.table(table)
    const total = opened.size
    let done = 0
    for (const rows of partsOf(opened)) {
      const indexes = indexEdits(new Map([[table, rows]]), () => undefined)
      writer.write(indexes, {})
      done += rows.size
      onPart(done, total)
    }
  }
  writer.write(new Map(), { repair: undefined })
}

/** Returns all rows of a table in parts. No iteration is open while a part is written. */
export function* partsOf(table: LmdbTable): Iterable<ReadonlyMap<string, Edit>> {
  for (let from = "00"; ; ) {
    const rows = new Map<string, Edit>()
    let next: string | undefined
    for (const { key, value } of table.rows({ prefix: "", from }, undefined)) {
      if (rows.size === PART_ROWS) {
        next = key
        break
      }
      rows.set(key, { value, isNew: true })
    }
    if (rows.size > 0) yield rows
    if (next === undefined) return
    from = next
  }
}
