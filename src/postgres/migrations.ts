import { createStatements, createViewStatements } from "../core/sql/definitions.js"
import { SQL_SCHEMA } from "../core/sql/schemaName.js"
import { allSqlTables } from "../core/sql/tables.js"
import { sqlViews } from "../core/sql/views.js"
import type { Database } from "./connection.js"
import { postgresError } from "./errors.js"

/** The statements that lead from one version of the tables to the next. */
export interface Migration {
  readonly version: number
  readonly statements: readonly string[]
}

/** Every migration in order. A released one is never changed: a new one follows it. */
const migrations: readonly Migration[] = [
  { version: 1, statements: [...allSqlTables.flatMap(createStatements), ...sqlViews.flatMap(createViewStatements)] },
]

/** The key of the lock that one migration holds, so that two programs that start together do not migrate at the same time. */
const MIGRATION_LOCK = 7_311_941_002n

/** Brings the tables of a database to the newest version, in one transaction. Throws `postgres.newer_schema` and `postgres.foreign`. */
export async function migrate(database: Database, steps: readonly Migration[] = migrations): Promise<void> {
  const newest = steps.at(-1)?.version ?? 0
  if ((await schemaVersion(database, newest)) === newest) return
  await database.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`
    const version = await schemaVersion(transaction as unknown as Database, newest)
    if (version === undefined) await startSchema(transaction as unknown as Database)
    for (const step of steps) {
      if (step.version <= (version ?? 0)) continue
      for (const statement of step.statements) await transaction.unsafe(statement)
    }
    await transaction.unsafe(`update ${SQL_SCHEMA}.schema_version set version = ${newest}`)
  })
}

/**
 * The version of the tables in a database; undefined where there are none. Throws `postgres.newer_schema` where a newer program made
 * them, and `postgres.foreign` where another program did.
 */
export async function schemaVersion(database: Database, newest = migrations.at(-1)?.version ?? 0): Promise<number | undefined> {
  const [found] = await database<{ table: string | null; schema: string | null }[]>`
    select to_regclass(${`${SQL_SCHEMA}.schema_version`})::text as table, to_regnamespace(${SQL_SCHEMA})::text as schema`
  if (found?.table) {
    const [row] = await database<{ version: number }[]>`select version from serac.schema_version`
    if (!row) throw postgresError("postgres.foreign")
    if (row.version > newest) throw postgresError("postgres.newer_schema", { got: row.version, known: newest })
    return row.version
  }
  if (!found?.schema) return undefined
  const [other] = await database<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = ${SQL_SCHEMA} limit 1`
  if (other) throw postgresError("postgres.foreign", { table: other.name })
  return undefined
}

async function startSchema(database: Database): Promise<void> {
  await database.unsafe(`create schema if not exists ${SQL_SCHEMA}`)
  await database.unsafe(`create table ${SQL_SCHEMA}.schema_version (version integer not null primary key)`)
  await database.unsafe(`comment on table ${SQL_SCHEMA}.schema_version is 'The version of the tables in this schema. One row.'`)
  await database.unsafe(`insert into ${SQL_SCHEMA}.schema_version values (0)`)
}
