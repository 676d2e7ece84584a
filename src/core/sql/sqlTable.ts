import { utf8 } from "../lib/bytes.js"
import type { ColumnValue, SqlColumn, SqlValue } from "./column.js"

/** The PostgreSQL schema of all published tables. */
export const SQL_SCHEMA = "serac"

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike columns
type Columns = Readonly<Record<string, SqlColumn<any>>>

/** A published table, from which its definition, its rows and its documentation are made. */
export interface SqlTable<C extends Columns = Columns> {
  readonly name: string
  /** Meaning of one row, in one sentence or a few. */
  readonly comment: string
  readonly columns: C
  readonly primaryKey: readonly string[]
  /** Further indexes, each a list of columns. */
  readonly indexes: readonly (readonly string[])[]
  /** Columns that grow with the table, such as heights, which have a BRIN index. Extending it costs almost nothing. */
  readonly rangeIndexes: readonly string[]
  /** Columns with lists, such as addresses, each with a GIN index of the values in them. */
  readonly listIndexes: readonly string[]
  /** Returns a row as a line of COPY's text format. */
  lineOf(row: { readonly [N in keyof C]: ColumnValue<C[N]> }): string
}

export type SqlRow<T> = T extends SqlTable<infer C> ? { readonly [N in keyof C]: ColumnValue<C[N]> } : never

interface TableDeclaration<C extends Columns> {
  readonly comment: string
  readonly columns: C
  readonly primaryKey: readonly (keyof C & string)[]
  readonly indexes?: readonly (readonly (keyof C & string)[])[]
  readonly rangeIndexes?: readonly (keyof C & string)[]
  readonly listIndexes?: readonly (keyof C & string)[]
}

export function sqlTable<C extends Columns>(
  name: string,
  { indexes = [], rangeIndexes = [], listIndexes = [], ...rest }: TableDeclaration<C>,
): SqlTable<C> {
  return { name, ...rest, indexes, rangeIndexes, listIndexes, lineOf: linesOf(rest.columns) }
}

function linesOf<C extends Columns>(columns: C): SqlTable<C>["lineOf"] {
  const fields = Object.entries<SqlColumn>(columns)
  return (row) => `${fields.map(([name, column]) => column.fieldOf(row[name] as SqlValue)).join("\t")}\n`
}

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
