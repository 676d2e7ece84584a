import { setImmediate } from "node:timers/promises"
import { equalBytes } from "../core/lib/bytes.js"
import { min } from "../core/lib/math64.js"
import type { Pace } from "../core/lib/pace.js"
import { historyGap } from "../core/readmodel/historyGap.js"
import { groupStart, type PartLimits, placeAt, rowsFrom } from "../core/sql/blockRows.js"
import { overridesID, type PublishedOverride } from "../core/sql/overrideRows.js"
import type { OwnerCache, PublishedChainFacts } from "../core/sql/rowContext.js"
import { accruedFeeAt } from "../core/sql/rows/subnetRows.js"
import { RowBatch } from "../core/sql/sqlTable.js"
import type { Texts } from "../core/sql/texts.js"
import { heightOf, tables } from "../core/state/tables.js"
import type { View } from "../core/state/view.js"
import { commonHeight } from "./commonHeight.js"
import type { Database } from "./connection.js"
import { postgresError } from "./errors.js"
import type { DuePart, Tip } from "./publication.js"
import { readOverrides } from "./read/publishedBlocks.js"

export interface PublishingChain {
  readonly facts: PublishedChainFacts
  readonly owners: OwnerCache
  readonly limits: PartLimits
  /** True if the chain may be reverted to an earlier block, as a private chain. */
  readonly canRevert: boolean
  /** Returns the overrides of a private chain, in their order. */
  overridesOf(view: View): readonly PublishedOverride[]
}

/** Milliseconds of work between two turns of the event loop, in which calls are answered and the server receives the rows of an earlier part. */
const SLICE = 2

/**
 * Finds the rows that follow a tip; `undefined` if everything is published. The rows of a block whose overrides have changed are published
 * again. Throws `postgres.history_incomplete`.
 */
export async function findDuePart(
  database: Database,
  view: View,
  tip: Tip | undefined,
  chain: PublishingChain,
): Promise<DuePart | undefined> {
  const { facts, owners, limits, canRevert } = chain
  const has = (height: bigint, blockID: string) => hasBlock(view, facts.texts, height, blockID)
  const height = heightOf(view)
  const reached = tip && (await commonHeight(database, tip, { has, canRevert, height }))
  const overrides = chain.overridesOf(view)
  // A chain that is behind the published blocks, and was not reverted, has nothing to add.
  const isBehind = !canRevert && tip !== undefined && height < tip.height
  const change = tip && !isBehind ? await overrideChange(database, tip, overrides) : undefined
  const common = change && reached !== undefined ? min(reached, groupStart(view, change.from) - 1n) : reached
  const keepTo = common === tip?.height ? undefined : common
  const isRevert = reached !== tip?.height || (change?.isRevert ?? false)
  const overridesAt = (at: bigint) => overrides.filter((override) => override.height === at)
  const next = common === undefined ? 0n : common + 1n
  const gap = historyGap(view)
  if (gap && next >= gap.height && next <= height) throw postgresError("postgres.history_incomplete", { missingFrom: gap.height })
  const found = await rowsFrom(view, next, { ...facts, limits, owners, overridesAt }, new LoopPace(SLICE))
  if (!found && keepTo === undefined) return undefined
  const part = found ?? { last: placeAt(view, common ?? 0n), rows: new RowBatch() }
  const published = overrides.filter((override) => override.height <= part.last.height)
  const { last } = part
  // A block that stays is published again after the override before it, perhaps only by a later part.
  const stays = reached === undefined || reached === tip?.height ? undefined : reached <= last.height ? reached : keepTo
  const accruedFee = accruedFeeAt({ view, rules: facts.rules }, last.height, last.time)
  return {
    keepTo,
    isRevert,
    common: stays,
    part,
    accruedFee,
    overrides: { count: BigInt(published.length), id: overridesID(published) },
  }
}

/** The height of the first block whose published overrides differ from those of the chain, and whether some were taken back. */
interface OverrideChange {
  readonly from: bigint
  readonly isRevert: boolean
}

async function overrideChange(
  database: Database,
  tip: Tip,
  all: readonly PublishedOverride[],
): Promise<OverrideChange | undefined> {
  const due = all.filter(({ height }) => height <= tip.height)
  if (BigInt(due.length) === tip.overrides && overridesID(due) === tip.overridesID) return undefined
  const published = await readOverrides(database)
  const isSame = (i: number) => {
    const [own, other] = [due[i], published[i]]
    return own !== undefined && other !== undefined && equalBytes(own.bytes, other.bytes)
  }
  let same = 0
  while (isSame(same)) same++
  const heights = [due[same], published[same]].flatMap((each) => (each ? [each.height] : []))
  const [first = tip.height, second = first] = heights
  return { from: min(first, second), isRevert: same < published.length }
}

/** Returns whether a chain has a block. */
function hasBlock(view: View, texts: Texts, height: bigint, blockID: string): boolean {
  const id = view.get(tables.blockIDs, height)
  return id !== undefined && texts.id(id) === blockID
}

/** The pace of work that gives the event loop a turn after some milliseconds. */
class LoopPace implements Pace {
  readonly #milliseconds: number
  #started = performance.now()

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  get isDue(): boolean {
    return performance.now() - this.#started >= this.#milliseconds
  }

  async pause(): Promise<void> {
    await setImmediate()
    this.#started = performance.now()
  }
}
