import type { SqlColumn } from "./column.js"
import type { SqlTable } from "./sqlTable.js"

/** The PostgreSQL schema of all published tables. */
export const SQL_SCHEMA = "serac"

/** Returns the statements that make a table with its key, its indexes and its comments. */
export function createStatements({ name, comment, columns, primaryKey, indexes }: SqlTable): string[] {
  const table = `${SQL_SCHEMA}.${name}`
  const entries = Object.entries<SqlColumn>(columns)
  const definitions = entries.map(([column, { type, isNullable }]) => `${column} ${type}${isNullable ? "" : " not null"}`)
  return [
    `create table ${table} (${[...definitions, `primary key (${primaryKey.join(", ")})`].join(", ")})`,
    ...indexes.map((index) => `create index ${[name, ...index].join("_")} on ${table} (${index.join(", ")})`),
    `comment on table ${table} is ${quoted(comment)}`,
    ...entries.map(([column, each]) => `comment on column ${table}.${column} is ${quoted(each.comment)}`),
  ]
}

/** A text as a literal of SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
