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
  readonly row: ChainRow & { readonly identity: string }
  /** True if it is the chain of a network, and not one that a single node makes. */
  readonly isOfNetwork: boolean
  /** True if another chain in the database is removed (`--replace`). */
  readonly replaces: boolean
  /** Whether `--chain-kind` names the chain of a network for a database of an older version; `undefined` without the flag. */
  readonly namesNetwork: boolean | undefined
  /** Returns whether the chain has this block, in cb58. */
  hasBlock(height: bigint, blockID: string): boolean
}

/** The facts about a published chain by which it is recognised. */
interface FoundChain {
  readonly network: string
  readonly genesis_id: string
  readonly kind: string | null
  readonly identity: string | null
  readonly height: bigint | null
  readonly block_id: string | null
}

/** A chain that was removed from a database. */
export interface RemovedChain {
  readonly kind: string | null
  readonly identity: string | null
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
      `select network, genesis_id, kind, identity, height, block_id from ${SQL_SCHEMA}.chain left join ${SQL_SCHEMA}.tip on true`,
    )
    if (!found) return addChain(transaction, claim)
    if (await isSame(transaction, found, claim)) return
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

/** Returns whether the database has the chain of a publisher. The row of an older version then gets its identity. */
async function isSame(transaction: Transaction, found: FoundChain, claim: ChainClaim): Promise<boolean> {
  const { row } = claim
  if (found.genesis_id !== row.genesis_id) return false
  if (found.identity !== null) return found.identity === row.identity
  if (!(await isOlderOf(transaction, found, claim))) return false
  await transaction.unsafe(`update ${SQL_SCHEMA}.chain set kind = $1, identity = $2`, [row.kind, row.identity])
  return true
}

/**
 * Returns whether the rows of an older version, which have no identity, are those of the chain of a publisher. Throws
 * `postgres.unknown_kind` if they do not show whether they are a network's.
 */
async function isOlderOf(transaction: Transaction, { height, block_id }: FoundChain, claim: ChainClaim): Promise<boolean> {
  if (height === null || block_id === null) return true
  const isOfNetwork = (await isOlderOfNetwork(transaction)) ?? claim.namesNetwork
  if (isOfNetwork === undefined) throw postgresError("postgres.unknown_kind", { height, blockID: block_id })
  return isOfNetwork === claim.isOfNetwork && (isOfNetwork || claim.hasBlock(height, block_id))
}

/** The size of the end of a wrapper without a signature: an epoch, and the length of the signature. */
const UNSIGNED = 28

/**
 * Returns whether validators have signed the published blocks; `undefined` if that is not certain. Only the chain of a single node is
 * reverted or overridden, and none of its blocks is signed, except for those below a fork.
 */
async function isOlderOfNetwork(transaction: Transaction): Promise<boolean | undefined> {
  const [found] = await transaction.unsafe<{ is_changed: boolean; is_signed: boolean | null; has_signed: boolean }[]>(`
    select reverts > 0 or overrides > 0 as is_changed,
      (select octet_length(wrapper_tail) > ${UNSIGNED} from ${SQL_SCHEMA}.blocks
        where octet_length(wrapper_tail) > 0 order by height desc limit 1) as is_signed,
      exists (select from ${SQL_SCHEMA}.blocks where octet_length(wrapper_tail) > ${UNSIGNED}) as has_signed
    from ${SQL_SCHEMA}.tip`)
  if (!found || found.is_changed) return found && false
  if (found.is_signed === null) return undefined
  return found.is_signed || (found.has_signed ? undefined : false)
}

function otherChain(found: FoundChain, { row }: ChainClaim): Error {
  const describe = ({ kind, identity, network, genesis_id }: Pick<ChainRow, "kind" | "identity" | "network" | "genesis_id">) =>
    `${kind ?? "older"}, ${network}, ${identity ?? `genesis block ${genesis_id}`}`
  return postgresError("postgres.other_chain", { expected: describe(row), got: describe(found), height: found.height })
}
