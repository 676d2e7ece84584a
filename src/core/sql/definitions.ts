import type { SqlColumn } from "./column.js"
import type { SqlTable } from "./sqlTable.js"
import { SQL_SCHEMA } from "./sqlTable.js"
import type { SqlView } from "./views.js"

/** Returns the statements that make a table with its key, its indexes and its comments. */
export function createStatements(table: SqlTable): string[] {
  const { name, columns, primaryKey, indexes, rangeIndexes, listIndexes } = table
  const definitions = Object.entries<SqlColumn>(columns).map(
    ([column, { type, isNullable }]) => `${column} ${type}${isNullable ? "" : " not null"}`,
  )
  return [
    `create table ${SQL_SCHEMA}.${name} (${[...definitions, `primary key (${primaryKey.join(", ")})`].join(", ")})`,
    ...indexes.map((index) => `create index ${[name, ...index].join("_")} on ${SQL_SCHEMA}.${name} (${index.join(", ")})`),
    ...rangeIndexes.map((column) => createRangeIndex(name, column)),
    ...listIndexes.map((column) => createListIndex(name, column)),
    ...commentStatements(table),
  ]
}

/** Returns the statement that makes a BRIN index. The server extends it as the table grows. */
function createRangeIndex(table: string, column: string): string {
  const options = "pages_per_range = 32, autosummarize = on"
  return `create index ${table}_${column}_ranges on ${SQL_SCHEMA}.${table} using brin (${column}) with (${options})`
}

/** Returns the statement that makes a GIN index. Queries use it with the operators of lists, such as `@>`. */
function createListIndex(table: string, column: string): string {
  return `create index ${table}_${column} on ${SQL_SCHEMA}.${table} using gin (${column})`
}

function commentStatements({ name, comment, columns }: SqlTable): string[] {
  const table = `${SQL_SCHEMA}.${name}`
  return [
    `comment on table ${table} is ${quoteText(comment)}`,
    ...Object.entries<SqlColumn>(columns).map(
      ([column, each]) => `comment on column ${table}.${column} is ${quoteText(each.comment)}`,
    ),
  ]
}

export function createViewStatements({ name, comment, columns = {}, query }: SqlView): string[] {
  const view = `${SQL_SCHEMA}.${name}`
  return [
    `create view ${view} as ${query}`,
    `comment on view ${view} is ${quoteText(comment)}`,
    ...Object.entries(columns).map(([column, text]) => `comment on column ${view}.${column} is ${quoteText(text)}`),
  ]
}

export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
