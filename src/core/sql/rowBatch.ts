import { Writer } from "../codec/writer.js"
import type { SqlRow, SqlTable } from "./sqlTable.js"

/** The rows that some blocks add, by table, in COPY's binary format without its header and its end. */
export class RowBatch {
  readonly #rows = new Map<SqlTable, Writer>()
  #size = 0

  /** Number of bytes of all rows. */
  get size(): number {
    return this.#size
  }

  add<T extends SqlTable>(table: T, row: SqlRow<T>): void {
    const rows = this.#rowsOf(table)
    const before = rows.size
    table.writeRow(rows, row)
    this.#size += rows.size - before
  }

  /** The tables that get rows, with the bytes of these rows. */
  *tables(): Iterable<readonly [SqlTable, Uint8Array]> {
    for (const [table, rows] of this.#rows) yield [table, rows.lent()]
  }

  #rowsOf(table: SqlTable): Writer {
    const found = this.#rows.get(table)
    if (found) return found
    const rows = new Writer()
    this.#rows.set(table, rows)
    return rows
  }
}
