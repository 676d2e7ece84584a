import { tables } from "../../../core/state/tables.js"
import type { PrintedJson } from "../../../jsonrpc/printedJson.js"
import type { CacheSlot } from "../../cache/answerCache.js"
import type { Context } from "../../context.js"

/** Returns the cache slot of a value about the validator sets after the block at a height. */
export function setsSlot({ view, cache, height: lastHeight }: Context, height: bigint, key: string): CacheSlot<PrintedJson> {
  const blockID = view.get(tables.blockIDs, height)
  if (blockID === undefined) throw new Error(`no block is known at height ${height}`)
  return cache.blockSlot(blockID, `${key} ${cache.stateAfter(height, lastHeight)}`)
}
