import type { MaybeWork, Work } from "../../../core/lib/work.js"
import { tables } from "../../../core/state/tables.js"
import type { PrintedJson } from "../../../jsonrpc/printedJson.js"
import { type CacheSlot, cachedOr } from "../../cache/answerCache.js"
import type { Context } from "../../context.js"

/**
 * Returns an answer about the validator sets after the block at a height, from the cache or made in steps. In one state the height
 * determines the block, and finding the block takes longer than the rest of an answer that was given in this state before.
 */
export function answerAtHeight(
  context: Context,
  height: bigint,
  key: string,
  make: () => Work<PrintedJson>,
): MaybeWork<PrintedJson> {
  return cachedOr(context.cache.stateSlot(`${key} ${height}`), () => answerAfterBlock(context, height, key, make))
}

function* answerAfterBlock(context: Context, height: bigint, key: string, make: () => Work<PrintedJson>): Work<PrintedJson> {
  const { value, store } = setsSlot(context, height, key)
  return value ?? store(yield* make())
}

/** Returns the cache slot of a value about the validator sets after the block at a height. */
export function setsSlot({ view, cache, height: lastHeight }: Context, height: bigint, key: string): CacheSlot<PrintedJson> {
  const blockID = view.get(tables.blockIDs, height)
  if (blockID === undefined) throw new Error(`no block is known at height ${height}`)
  return cache.blockSlot(blockID, `${key} ${cache.stateAfter(height, lastHeight)}`)
}
