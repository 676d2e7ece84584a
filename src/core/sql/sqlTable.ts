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
