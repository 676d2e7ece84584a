import { historyGap } from "../core/readmodel/historyGap.js"
import { type PartLimits, type PublishedPart, placeAt, rowsFrom } from "../core/sql/blockRows.js"
import { addOverrides, overridesID, type PublishedOverride } from "../core/sql/overrideRows.js"
import { RowBatch } from "../core/sql/rowBatch.js"
import type { OwnerCache, PublishedChainFacts } from "../core/sql/rowContext.js"
import type { Texts } from "../core/sql/texts.js"
import { tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import { commonHeight } from "./commonHeight.js"
import type { Database } from "./connection.js"
import { postgresError } from "./errors.js"
import { inTurns } from "./inTurns.js"
import type { DuePart, Tip } from "./publication.js"

/** The chain that is published. */
export interface PublishingChain {
  readonly facts: PublishedChainFacts
  readonly owners: OwnerCache
  readonly limits: PartLimits
  /** True if the chain may be reverted to an earlier block, as a private chain. */
  readonly canRevert: boolean
  /** Returns the overrides of a private chain, in their order. */
  overridesOf?(view: View): readonly PublishedOverride[]
}

/** Finds the rows that follow a tip; `undefined` if everything is published. Throws `postgres.history_incomplete`. */
export async function findDuePart(
  database: Database,
  view: View,
  tip: Tip | undefined,
  chain: PublishingChain,
): Promise<DuePart | undefined> {
  const { facts, owners, limits, canRevert } = chain
  const has = (height: bigint, blockID: string) => hasBlock(view, facts.texts, height, blockID)
  const height = view.get(tables.lastAccepted, null)?.height ?? 0n
  const common = tip && (await commonHeight(database, tip, { has, canRevert, height }))
  const revertTo = common === tip?.height ? undefined : common
  const next = common === undefined ? 0n : common + 1n
  const gap = historyGap(view)
  if (gap && next >= gap.height && next <= height) throw postgresError("postgres.history_incomplete", { missingFrom: gap.height })
  const found = await inTurns(rowsFrom(view, next, { ...facts, limits, owners }))
  // A chain that is behind the published blocks has no block at the tip, and nothing to add.
  if (!found && common !== undefined && common > height) return undefined
  const part = found ?? { last: placeAt(view, common ?? 0n), rows: new RowBatch() }
  const overrides = dueOverrides(view, part, revertTo === undefined ? tip : undefined, chain)
  const isDue = found || revertTo !== undefined || overrides.isReset || overrides.count !== tip?.overrides
  return isDue ? { revertTo, part, overrides } : undefined
}

/** Adds the rows of overrides that are not published. If earlier ones have changed, all of them are published again. */
function dueOverrides(view: View, { last, rows }: PublishedPart, tip: Tip | undefined, chain: PublishingChain) {
  const all = (chain.overridesOf?.(view) ?? []).filter(({ height }) => height <= last.height)
  const count = Number(tip?.overrides ?? 0n)
  const isSame = tip !== undefined && count <= all.length && overridesID(all.slice(0, count)) === tip.overridesID
  const first = isSame ? count : 0
  addOverrides({ ...chain.facts, owners: chain.owners, view, rows }, all.slice(first), first)
  return { count: BigInt(all.length), id: overridesID(all), isReset: !isSame }
}

function hasBlock(view: View, texts: Texts, height: bigint, blockID: string): boolean {
  const id = view.get(tables.blockIDs, height)
  return id !== undefined && texts.id(id) === blockID
}
