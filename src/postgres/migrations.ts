import { commentStatements, createStatements, createViewStatements } from "../core/sql/definitions.js"
import { SQL_SCHEMA } from "../core/sql/sqlTable.js"
import { allSqlTables } from "../core/sql/tables.js"
import { sqlViews } from "../core/sql/views.js"
import type { Database } from "./connection.js"
import { postgresError } from "./errors.js"
import { migrationSteps } from "./migrationSteps.js"
import { inTransaction, type Transaction } from "./transaction.js"

/** The version of the tables that this program writes and reads. */
const NEWEST = migrationSteps.at(-1)?.version ?? 1

/** The key of the lock that a migration holds, so that two programs that start together do not migrate at the same time. */
const MIGRATION_LOCK = 7_311_941_002n

/**
 * Brings the tables of a database to the newest version, in one transaction. An empty database gets them as they are declared. Throws
 * `postgres.newer_schema` and `postgres.foreign`.
 */
export async function migrate(database: Database, isClosed: () => boolean): Promise<void> {
  if ((await schemaVersion(database)) === NEWEST) return
  await inTransaction(database, isClosed, async (transaction) => {
    await transaction.unsafe(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    const version = await schemaVersion(transaction)
    if (version === NEWEST) return
    for (const statement of version === undefined ? newSchema() : upgradeFrom(version)) await transaction.unsafe(statement)
  })
}

/** Returns the statements that make all tables and views in an empty database. */
function newSchema(): string[] {
  const versions = `${SQL_SCHEMA}.schema_version`
  return [
    `create schema if not exists ${SQL_SCHEMA}`,
    `create table ${versions} (version integer not null primary key)`,
    `comment on table ${versions} is 'The version of the tables in this schema. One row.'`,
    `insert into ${versions} values (${NEWEST})`,
    ...allSqlTables.flatMap(createStatements),
    ...sqlViews.flatMap(createViewStatements),
  ]
}

/** Returns the statements that change the tables of an older version, and make the views and comments again. */
function upgradeFrom(version: number): string[] {
  return [
    `drop view if exists ${sqlViews.map(({ name }) => `${SQL_SCHEMA}.${name}`).join(", ")}`,
    ...migrationSteps.filter((step) => step.version > version).flatMap(({ statements }) => statements),
    ...sqlViews.flatMap(createViewStatements),
    ...allSqlTables.flatMap(commentStatements),
    `update ${SQL_SCHEMA}.schema_version set version = ${NEWEST}`,
  ]
}

/**
 * Returns the version of the tables in a database; `undefined` if there are none. Throws `postgres.newer_schema` if a newer program made
 * them, and `postgres.foreign` if another program did.
 */
export async function schemaVersion(database: Transaction): Promise<number | undefined> {
  const [found] = await database.unsafe<{ table: string | null; schema: string | null }[]>(
    `select to_regclass('${SQL_SCHEMA}.schema_version')::text as table, to_regnamespace('${SQL_SCHEMA}')::text as schema`,
  )
  if (found?.table) {
    const [row] = await database.unsafe<{ version: number }[]>(`select version from ${SQL_SCHEMA}.schema_version`)
    if (!row) throw postgresError("postgres.foreign")
    if (row.version > NEWEST) throw postgresError("postgres.newer_schema", { got: row.version, known: NEWEST })
    return row.version
  }
  if (!found?.schema) return undefined
  const [other] = await database.unsafe<{ name: string }[]>(
    `select tablename as name from pg_tables where schemaname = '${SQL_SCHEMA}' limit 1`,
  )
  if (other) throw postgresError("postgres.foreign", { table: other.name })
  return undefined
}
