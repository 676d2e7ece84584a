import { createStatements, createViewStatements } from "../core/sql/definitions.js"
import { SQL_SCHEMA } from "../core/sql/sqlTable.js"
import { allSqlTables } from "../core/sql/tables.js"
import { sqlViews } from "../core/sql/views.js"
import type { Database } from "./connection.js"
import { postgresError } from "./errors.js"
import { inTransaction, type Transaction } from "./transaction.js"

/** The version of the tables that this program writes and reads. Every change of a table, an index or a view raises it. */
const VERSION = 15

/** The key of the lock under which tables are made and removed, so that two programs that start together do not do it at the same time. */
const SCHEMA_LOCK = 7_311_941_002n

/**
 * Makes the tables and views in a database that has none, in one transaction. Throws `postgres.older_schema`, `postgres.newer_schema` and
 * `postgres.foreign`.
 */
export async function makeSchema(database: Database, isClosed: () => boolean): Promise<void> {
  await alone(database, isClosed, async (transaction) => {
    if (await hasSchema(transaction)) return
    for (const statement of schemaStatements()) await transaction.unsafe(statement)
  })
}

/** Removes the tables of an older version with everything that depends on them, and returns that version; `undefined` if there are none. */
export async function removeOlderSchema(database: Database, isClosed: () => boolean): Promise<number | undefined> {
  let removed: number | undefined
  await alone(database, isClosed, async (transaction) => {
    const version = await schemaVersion(transaction)
    if (!isOlder(version)) return
    removed = version
    await transaction.unsafe(`drop schema ${SQL_SCHEMA} cascade`)
  })
  return removed
}

/** Returns whether a database has the tables of an older version. */
export async function hasOlderSchema(database: Database, isClosed: () => boolean): Promise<boolean> {
  let version: number | undefined
  await alone(database, isClosed, async (transaction) => {
    version = await schemaVersion(transaction)
  })
  return isOlder(version)
}

const isOlder = (version: number | undefined): boolean => version !== undefined && version < VERSION

/** Runs work in a transaction in which no other program of this kind makes or removes tables. */
async function alone(
  database: Database,
  isClosed: () => boolean,
  work: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  // The client library never reserves a connection for a transaction if it has not connected before.
  await database.unsafe("select 1")
  await inTransaction(database, isClosed, async (transaction) => {
    await transaction.unsafe(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`)
    await work(transaction)
  })
}

/**
 * Returns whether a database has the tables of this version. Throws `postgres.older_schema` and `postgres.newer_schema` if another version
 * made them, and `postgres.foreign` if another program did.
 */
export async function hasSchema(database: Transaction): Promise<boolean> {
  const version = await schemaVersion(database)
  if (version === undefined) return false
  if (version < VERSION) throw postgresError("postgres.older_schema", { got: version, known: VERSION })
  if (version > VERSION) throw postgresError("postgres.newer_schema", { got: version, known: VERSION })
  return true
}

/** Returns the statements that make all tables and views in an empty database. */
function schemaStatements(): string[] {
  const versions = `${SQL_SCHEMA}.schema_version`
  return [
    `create schema if not exists ${SQL_SCHEMA}`,
    `create table ${versions} (version integer not null primary key)`,
    `comment on table ${versions} is 'The version of the tables in this schema. One row.'`,
    `insert into ${versions} values (${VERSION})`,
    ...allSqlTables.flatMap(createStatements),
    ...sqlViews.flatMap(createViewStatements),
  ]
}

/** Returns the version of the tables in a database; `undefined` if there are none. Throws `postgres.foreign` if another program made them. */
async function schemaVersion(database: Transaction): Promise<number | undefined> {
  const [found] = await database.unsafe<{ table: string | null; schema: string | null }[]>(
    `select to_regclass('${SQL_SCHEMA}.schema_version')::text as table, to_regnamespace('${SQL_SCHEMA}')::text as schema`,
  )
  if (found?.table) {
    const [row] = await database.unsafe<{ version: number }[]>(`select version from ${SQL_SCHEMA}.schema_version`)
    if (!row) throw postgresError("postgres.foreign")
    return row.version
  }
  if (!found?.schema) return undefined
  const [other] = await database.unsafe<{ name: string }[]>(
    `select tablename as name from pg_tables where schemaname = '${SQL_SCHEMA}' limit 1`,
  )
  if (other) throw postgresError("postgres.foreign", { table: other.name })
  return undefined
}
