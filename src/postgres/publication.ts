import type { TransactionSql } from "postgres"
import type { PublishedPart } from "../core/sql/blockRows.js"
import { quoted } from "../core/sql/definitions.js"
import { RowBatch } from "../core/sql/rowBatch.js"
import { SQL_SCHEMA } from "../core/sql/schemaName.js"
import type { SqlRow } from "../core/sql/sqlTable.js"
import { allSqlTables, sqlTables } from "../core/sql/tables.js"
import type { Texts } from "../core/sql/texts.js"
import type { Database } from "./connection.js"
import { copyRows } from "./copyRows.js"
import { postgresError } from "./errors.js"

/** The channel on which readers are told of every new tip: its height, its block ID and the number of reverts. */
export const TIP_CHANNEL = "serac_tip"

/** The row of the table `chain`. */
export type ChainRow = SqlRow<typeof sqlTables.chain>

/** The last published block, as the table `tip` has it. */
export interface Tip {
  readonly height: bigint
  readonly blockID: string
  readonly reverts: bigint
}

type Transaction = TransactionSql<{ bigint: bigint }>

/** Writes which chain the database holds, if it holds none. Throws `postgres.other_chain` where it holds another. */
export async function requireChain(database: Database, chain: ChainRow): Promise<void> {
  await database.begin(async (transaction) => {
    await transaction`lock table serac.chain in exclusive mode`
    const [found] = await transaction<{ network: string; genesis_id: string }[]>`select network, genesis_id from serac.chain`
    if (!found) {
      const rows = new RowBatch()
      rows.add(sqlTables.chain, chain)
      return copyRows(transaction, rows)
    }
    if (found.genesis_id === chain.genesis_id) return
    throw postgresError("postgres.other_chain", {
      expected: `${chain.network}, genesis block ${chain.genesis_id}`,
      got: `${found.network}, genesis block ${found.genesis_id}`,
    })
  })
}

/** Reads the tip; undefined where nothing is published. */
export async function readTip(database: Database): Promise<Tip | undefined> {
  const [row] = await database<{ height: bigint; block_id: string; reverts: bigint }[]>`
    select height, block_id, reverts from serac.tip`
  return row && { height: row.height, blockID: row.block_id, reverts: row.reverts }
}

/** Reads the ID of the published block at a height. */
export async function publishedBlockID(database: Database, height: bigint): Promise<string | undefined> {
  const [row] = await database<{ block_id: string }[]>`select block_id from serac.blocks where height = ${height}`
  return row?.block_id
}

/** A change of what is published, from one tip to the next. */
export interface TipChange {
  readonly before: Tip | undefined
  /** The height that the chain went back to, if it did. */
  readonly revertTo: bigint | undefined
  readonly part: PublishedPart
  readonly texts: Texts
}

/** Thrown where the tip is not the expected one: another publisher has taken over. */
export class TipMoved extends Error {
  constructor() {
    super("another publisher has written to the database")
  }
}

/** Writes rows and the new tip in one transaction, and notifies readers. Throws `TipMoved`. */
export async function writeTip(database: Database, change: TipChange): Promise<Tip> {
  const { before, revertTo, part, texts } = change
  const reverts = (before?.reverts ?? 0n) + (revertTo === undefined ? 0n : 1n)
  const tip: Tip = { height: part.last.height, blockID: texts.id(part.last.id), reverts }
  await database.begin(async (transaction) => {
    await requireTip(transaction, before)
    if (revertTo !== undefined) await removeAbove(transaction, revertTo)
    await copyRows(transaction, part.rows)
    await putTip(transaction, tip, part)
    await transaction.unsafe(`notify ${TIP_CHANNEL}, ${quoted(`${tip.height} ${tip.blockID} ${tip.reverts}`)}`)
  })
  return tip
}

async function requireTip(transaction: Transaction, before: Tip | undefined): Promise<void> {
  const [found] = await transaction<{ height: bigint; block_id: string; reverts: bigint }[]>`
    select height, block_id, reverts from serac.tip for update`
  const isSame = found?.height === before?.height && found?.block_id === before?.blockID && found?.reverts === before?.reverts
  if (!isSame) throw new TipMoved()
}

/** Removes all rows of blocks above a height. */
async function removeAbove(transaction: Transaction, height: bigint): Promise<void> {
  for (const table of allSqlTables) {
    if (table === sqlTables.tip || !("height" in table.columns)) continue
    await transaction.unsafe(`delete from ${SQL_SCHEMA}.${table.name} where height > ${height}`)
  }
}

async function putTip(transaction: Transaction, tip: Tip, { last }: PublishedPart): Promise<void> {
  await transaction`delete from serac.tip`
  const rows = new RowBatch()
  rows.add(sqlTables.tip, {
    height: tip.height,
    block_id: tip.blockID,
    time: last.time,
    reverts: tip.reverts,
    overrides: 0n,
    overrides_id: "",
  })
  await copyRows(transaction, rows)
}
