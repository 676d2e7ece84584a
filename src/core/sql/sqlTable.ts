import type { ColumnValue, SqlColumn } from "./column.js"

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike columns
type Columns = Readonly<Record<string, SqlColumn<any>>>

/** A published table: everything that its definition, its rows and its documentation are made from. */
export interface SqlTable<C extends Columns = Columns> {
  readonly name: string
  /** Meaning of one row, in one sentence or a few. */
  readonly comment: string
  readonly columns: C
  readonly primaryKey: readonly string[]
  /** Further indexes, each a list of columns. */
  readonly indexes: readonly (readonly string[])[]
}

/** A row of a table. */
export type SqlRow<T> = T extends SqlTable<infer C> ? { readonly [N in keyof C]: ColumnValue<C[N]> } : never

/** The parts of a table that are declared. */
interface Declared<C extends Columns> {
  readonly comment: string
  readonly columns: C
  readonly primaryKey: readonly (keyof C & string)[]
  readonly indexes?: readonly (readonly (keyof C & string)[])[]
}

/** Declares a published table. */
export function sqlTable<C extends Columns>(name: string, { indexes = [], ...rest }: Declared<C>): SqlTable<C> {
  return { name, ...rest, indexes }
}

/** Prints a row as a line of COPY's text format. */
export function copyLine<C extends Columns>({ columns }: SqlTable<C>, row: SqlRow<SqlTable<C>>): string {
  let line = ""
  for (const name in columns) {
    const field = (columns[name] as SqlColumn).toCopy(row[name])
    line += line === "" ? field : `\t${field}`
  }
  return `${line}\n`
}
