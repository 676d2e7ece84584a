import type { SqlRow } from "../core/sql/sqlTable.js"
import { RowBatch, SQL_SCHEMA } from "../core/sql/sqlTable.js"
import { allSqlTables, sqlTables } from "../core/sql/tables.js"
import type { Database } from "./connection.js"
import { copyRows } from "./copyRows.js"
import { postgresError } from "./errors.js"
import { inTransaction, type Transaction } from "./transaction.js"

/** The row of the table `chain`. */
export type ChainRow = SqlRow<typeof sqlTables.chain>

/** The chain that a publisher writes, and what it may do to the chain of the database. */
export interface ChainClaim {
  readonly row: ChainRow
  /** True if another chain in the database is removed (`--replace`). */
  readonly replaces: boolean
}

/** The facts about a published chain by which it is recognised. */
interface FoundChain {
  readonly network: string
  readonly genesis_id: string
  readonly kind: string
  readonly identity: string
  readonly height: bigint | null
}

/** A chain that was removed from a database. */
export interface RemovedChain {
  readonly kind: string
  readonly identity: string
  readonly network: string
  readonly height: bigint | null
}

/**
 * Writes the chain of the database if it has none. Throws `postgres.other_chain` if it has another, unless that may be replaced.
 * `isPublisher` says that this publisher holds the lock: it then replaces the other chain, which it returns.
 */
export async function claimDatabase(
  database: Database,
  claim: ChainClaim,
  { isPublisher, isClosed }: { readonly isPublisher: boolean; isClosed(): boolean },
): Promise<RemovedChain | undefined> {
  let removed: RemovedChain | undefined
  await inTransaction(database, isClosed, async (transaction) => {
    await transaction.unsafe(`lock table ${SQL_SCHEMA}.chain in exclusive mode`)
    const [found] = await transaction.unsafe<FoundChain[]>(
      `select network, genesis_id, kind, identity, height from ${SQL_SCHEMA}.chain left join ${SQL_SCHEMA}.tip on true`,
    )
    if (!found) return addChain(transaction, claim)
    if (found.genesis_id === claim.row.genesis_id && found.identity === claim.row.identity) return
    if (!claim.replaces) throw otherChain(found, claim)
    if (!isPublisher) return
    await transaction.unsafe(`truncate ${allSqlTables.map(({ name }) => `${SQL_SCHEMA}.${name}`).join(", ")}`)
    await addChain(transaction, claim)
    const { kind, identity, network, height } = found
    removed = { kind, identity, network, height }
  })
  return removed
}

async function addChain(transaction: Transaction, { row }: ChainClaim): Promise<void> {
  const rows = new RowBatch()
  rows.add(sqlTables.chain, row)
  await copyRows(transaction, rows)
}

function otherChain(found: FoundChain, { row }: ChainClaim): Error {
  const describe = ({ kind, identity, network }: Pick<ChainRow, "kind" | "identity" | "network">) =>
    `${kind}, ${network}, ${identity}`
  return postgresError("postgres.other_chain", { expected: describe(row), got: describe(found), height: found.height })
}
