import type { PublishedPart } from "../core/sql/blockRows.js"
import { quoteText } from "../core/sql/definitions.js"
import { RowBatch, SQL_SCHEMA, type SqlTable } from "../core/sql/sqlTable.js"
import { allSqlTables, sqlTables } from "../core/sql/tables.js"
import type { Texts } from "../core/sql/texts.js"
import { REMEMBERED } from "../core/state/removedBlocks.js"
import type { Database } from "./connection.js"
import { copyRows } from "./copyRows.js"
import { inTransaction, type Transaction } from "./transaction.js"

/** The channel that notifies readers of every new tip: its height, its block ID and the number of reverts. */
export const TIP_CHANNEL = "serac_tip"

/** The last published block, as the table `tip` has it. */
export interface Tip {
  readonly height: bigint
  readonly blockID: string
  readonly reverts: bigint
  /** The number of a private chain's overrides that are published, and their hash. */
  readonly overrides: bigint
  readonly overridesID: string
}

interface TipRow {
  readonly height: bigint
  readonly block_id: string
  readonly reverts: bigint
  readonly overrides: bigint
  readonly overrides_id: string
}

const tipOf = ({ height, block_id, reverts, overrides, overrides_id }: TipRow): Tip => ({
  height,
  blockID: block_id,
  reverts,
  overrides,
  overridesID: overrides_id,
})

/** The tip, and the ID of the chain that it belongs to; `null` in a database of an older version. */
export interface PublishedTip extends Tip {
  readonly identity: string | null
}

/** Reads the tip; `undefined` if nothing is published. */
export async function readTip(database: Database): Promise<PublishedTip | undefined> {
  const [row] = await database<(TipRow & { identity: string | null })[]>`
    select height, block_id, reverts, overrides, overrides_id, identity from serac.tip, serac.chain`
  return row && { ...tipOf(row), identity: row.identity }
}

export async function publishedBlockID(database: Database, height: bigint): Promise<string | undefined> {
  const [row] = await database<{ block_id: string }[]>`select block_id from serac.blocks where height = ${height}`
  return row?.block_id
}

/** The next change of the published rows. */
export interface DuePart {
  /** The height above which rows are removed first, because other rows are in their place; `undefined` if none are. */
  readonly keepTo: bigint | undefined
  /** True if blocks or overrides were taken back, and not only added. */
  readonly isRevert: boolean
  /** The height of the last published block that stays; `undefined` if all do. */
  readonly common: bigint | undefined
  readonly part: PublishedPart
  /** The fees of an L1 validator that is active since Etna, after the last block of the part, nAVAX. */
  readonly accruedFee: bigint | null
  /** The overrides that are published after it: their number, and their hash. */
  readonly overrides: { readonly count: bigint; readonly id: string }
}

/** A change of the published rows, from one tip to the next. */
export interface TipChange extends DuePart {
  readonly before: Tip | undefined
  readonly texts: Texts
}

/** Thrown if the tip is not the expected one, because another publisher has taken over. */
export class TipMovedError extends Error {
  constructor() {
    super("another publisher has written to the database")
  }
}

export function tipAfter({ before, isRevert, part, overrides, texts }: TipChange): Tip {
  return {
    height: part.last.height,
    blockID: texts.id(part.last.id),
    reverts: (before?.reverts ?? 0n) + (isRevert ? 1n : 0n),
    overrides: overrides.count,
    overridesID: overrides.id,
  }
}

/** Writes rows and the new tip in one transaction, and notifies readers. Throws `TipMovedError`. */
export async function writeTip(database: Database, change: TipChange, isClosed: () => boolean): Promise<void> {
  const { before, keepTo, common, part } = change
  const tip = tipAfter(change)
  await inTransaction(database, isClosed, async (transaction) => {
    await requireTip(transaction, before)
    if (common !== undefined) await rememberAbove(transaction, common, tip.reverts)
    if (keepTo !== undefined) await removeAbove(transaction, keepTo)
    await copyRows(transaction, part.rows)
    await putTip(transaction, tip, change)
    await transaction.unsafe(`notify ${TIP_CHANNEL}, ${quoteText(`${tip.height} ${tip.blockID} ${tip.reverts}`)}`)
  })
}

async function requireTip(transaction: Transaction, before: Tip | undefined): Promise<void> {
  const statement = "select height, block_id, reverts, overrides, overrides_id from serac.tip for update"
  const [row] = await transaction.unsafe<TipRow[]>(statement)
  const found = row && tipOf(row)
  const names = ["height", "blockID", "reverts", "overrides", "overridesID"] as const
  const isSame = names.every((name) => found?.[name] === before?.[name])
  if (!isSame) throw new TipMovedError()
}

/** Remembers the blocks above a height, which are about to be removed, and forgets the oldest ones of too many. */
async function rememberAbove(transaction: Transaction, common: bigint, revert: bigint): Promise<void> {
  const removed = `${SQL_SCHEMA}.${sqlTables.removed_blocks.name}`
  await transaction.unsafe(`insert into ${removed} (revert, height, block_id, common_height, common_id)
    select ${revert}, removed.height, removed.block_id, common.height, common.block_id
    from ${SQL_SCHEMA}.blocks as removed, ${SQL_SCHEMA}.blocks as common
    where common.height = ${common} and removed.height > ${common} order by removed.height desc limit ${REMEMBERED}`)
  await transaction.unsafe(`delete from ${removed} where (revert, height) in (
    select revert, height from ${removed} order by revert desc, height desc offset ${REMEMBERED})`)
}

const NOT_BY_HEIGHT: ReadonlySet<SqlTable> = new Set([sqlTables.tip, sqlTables.removed_blocks])

/** Removes all rows of blocks above a height. */
async function removeAbove(transaction: Transaction, height: bigint): Promise<void> {
  for (const table of allSqlTables) {
    if (NOT_BY_HEIGHT.has(table) || !("height" in table.columns)) continue
    await transaction.unsafe(`delete from ${SQL_SCHEMA}.${table.name} where height > ${height}`)
  }
}

async function putTip(transaction: Transaction, tip: Tip, { part: { last }, accruedFee }: TipChange): Promise<void> {
  await transaction.unsafe("delete from serac.tip")
  const rows = new RowBatch()
  rows.add(sqlTables.tip, {
    height: tip.height,
    block_id: tip.blockID,
    time: last.time,
    reverts: tip.reverts,
    overrides: tip.overrides,
    overrides_id: tip.overridesID,
    accrued_fee: accruedFee,
  })
  await copyRows(transaction, rows)
}
