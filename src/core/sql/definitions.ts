import type { SqlColumn } from "./column.js"
import { SQL_SCHEMA } from "./schemaName.js"
import type { SqlTable } from "./sqlTable.js"
import type { SqlView } from "./views.js"

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

/** Returns the statements that make a view with its comment. */
export function createViewStatements({ name, comment, query }: SqlView): string[] {
  const view = `${SQL_SCHEMA}.${name}`
  return [`create view ${view} as ${query}`, `comment on view ${view} is ${quoted(comment)}`]
}

/** A text as a literal of SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
