import type { SqlRow, SqlTable } from "./sqlTable.js"

/** The rows that some blocks add, by table, as lines of COPY's text format. */
export class RowBatch {
  readonly #lines = new Map<SqlTable, string[]>()
  #size = 0

  /** Number of characters of all lines. */
  get size(): number {
    return this.#size
  }

  add<T extends SqlTable>(table: T, row: SqlRow<T>): void {
    const line = table.toLine(row)
    this.#size += line.length
    const lines = this.#lines.get(table)
    if (lines) lines.push(line)
    else this.#lines.set(table, [line])
  }

  /** The tables that get rows, with their lines. */
  tables(): Iterable<readonly [SqlTable, readonly string[]]> {
    return this.#lines
  }
}
