import type { ColumnValue, SqlColumn, SqlValue } from "./column.js"

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
  /** Prints a row as a line of COPY's text format. */
  toLine(row: { readonly [N in keyof C]: ColumnValue<C[N]> }): string
}

/** A row of a table. */
export type SqlRow<T> = T extends SqlTable<infer C> ? { readonly [N in keyof C]: ColumnValue<C[N]> } : never

/** The parts of a table that are declared. */
interface Declared<C extends Columns> {
  readonly comment: string
  readonly columns: C
  readonly primaryKey: readonly (keyof C & string)[]
  readonly indexes?: readonly (readonly (keyof C & string)[])[]
  readonly rangeIndexes?: readonly (keyof C & string)[]
}

/** Declares a published table. */
export function sqlTable<C extends Columns>(
  name: string,
  { indexes = [], rangeIndexes = [], ...rest }: Declared<C>,
): SqlTable<C> {
  return { name, ...rest, indexes, rangeIndexes, toLine: linePrinter(rest.columns) }
}

function linePrinter<C extends Columns>(columns: C): SqlTable<C>["toLine"] {
  const fields = Object.entries<SqlColumn>(columns).map(([name, { toCopy }]) => ({ name, toCopy }))
  return (row) => {
    let line = ""
    for (const { name, toCopy } of fields) line += `${line === "" ? "" : "\t"}${toCopy(row[name] as SqlValue)}`
    return `${line}\n`
  }
}
