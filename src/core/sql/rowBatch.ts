import { utf8 } from "../lib/bytes.js"
import type { SqlRow, SqlTable } from "./sqlTable.js"

/** The rows that some blocks add, by table, as lines of COPY's text format. */
export class RowBatch {
  readonly #lines = new Map<SqlTable, string[]>()
  #size = 0

  /** The length of all lines. */
  get size(): number {
    return this.#size
  }

  add<T extends SqlTable>(table: T, row: SqlRow<T>): void {
    const line = table.lineOf(row)
    const lines = this.#lines.get(table)
    if (lines) lines.push(line)
    else this.#lines.set(table, [line])
    this.#size += line.length
  }

  /** The tables that get rows, with the bytes of these rows. */
  *tables(): Iterable<readonly [SqlTable, Uint8Array]> {
    for (const [table, lines] of this.#lines) yield [table, utf8(lines.join(""))]
  }
}
