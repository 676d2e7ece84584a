import { min } from "../core/lib/math64.js"
import type { RowContext } from "../core/sql/rowContext.js"
import { addTerms } from "../core/sql/rows/stakerRows.js"
import { addAllL1Events } from "../core/sql/rows/subnetRows.js"
import { RowBatch } from "../core/sql/sqlTable.js"
import { sqlTables } from "../core/sql/tables.js"
import { tables } from "../core/state/tables.js"
import type { Database } from "./connection.js"
import { copyRows } from "./copyRows.js"
import { inTransaction } from "./transaction.js"

/** The context of rows that are written again. */
type RestoreContext = Omit<RowContext, "rows">

/**
 * Writes rows that an older version did not publish, up to the height of the tip: a migration leaves them to the publisher, because they
 * are not in the database. The chain must have the block of the tip.
 */
export async function restoreRows(
  database: Database,
  context: RestoreContext,
  height: bigint,
  isClosed: () => boolean,
): Promise<void> {
  await restoreL1Events(database, context, height, isClosed)
  await restoreTerms(database, context, height, isClosed)
}

/** Writes all events of L1 validators again if a validator has none, because a migration has removed them. */
async function restoreL1Events(
  database: Database,
  context: RestoreContext,
  height: bigint,
  isClosed: () => boolean,
): Promise<void> {
  const [missing] = await database`
    select validation_id from serac.l1_validators where validation_id not in (select validation_id from serac.l1_validator_events)
    limit 1`
  if (!missing) return
  const rows = new RowBatch()
  addAllL1Events({ ...context, rows }, height)
  await inTransaction(database, isClosed, async (transaction) => {
    await transaction.unsafe("delete from serac.l1_validator_events")
    await copyRows(transaction, rows, sqlTables.l1_validator_events)
  })
}

/** The number of blocks whose terms are sent together. */
const BLOCKS_AT_ONCE = 10_000n

/** Writes the terms of stakers again if the record of the chain begins before that of the database. */
async function restoreTerms(database: Database, context: RestoreContext, height: bigint, isClosed: () => boolean): Promise<void> {
  const first = context.view.first(tables.stakingTerms)?.[0].height
  if (first === undefined || first > height) return
  const [known] = await database`select height from serac.staking_terms where height <= ${first} limit 1`
  if (known) return
  await inTransaction(database, isClosed, async (transaction) => {
    await transaction.unsafe("delete from serac.staking_terms")
    for (let from = first; from <= height; from += BLOCKS_AT_ONCE) {
      const rows = new RowBatch()
      addTerms({ ...context, rows }, { from, to: min(height, from + BLOCKS_AT_ONCE - 1n) })
      await copyRows(transaction, rows)
    }
  })
}
