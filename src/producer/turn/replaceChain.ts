import type { RecentBlocks } from "../../core/chain/recentBlocks.js"
import { withRemoval } from "../../core/state/removedBlocks.js"
import { tables } from "../../core/state/tables.js"
import type { Edits, View } from "../../core/state/view.js"
import type { Tx } from "../../core/txs/tx.js"
import type { ID } from "../../core/types/id.js"
import type { MetaChanges } from "../../store/meta.js"
import type { CommitOptions } from "../../store/store.js"
import { clockMeta } from "../clock/storedClock.js"
import { producerError } from "../errors.js"
import type { ChainParts } from "./chainParts.js"

/** The access to the store while a chain is replaced. */
interface ReplacementTarget {
  /** Writes rows to the store. */
  commit(edits: Edits, options?: CommitOptions): void
  /** Sets the clock (Unix seconds), and returns the store's entries for it, which must be written together with the other chain. */
  setClock(now: bigint, isFrozen: boolean): MetaChanges
  /**
   * Returns the store's entries for the blocks that the other chain does not have, which must be written together with it. It is called while
   * the store has these blocks. `common` is the height of the last block that stays; `undefined` if none does.
   */
  removing(common: bigint | undefined): MetaChanges
}

/** The mempool of a chain that has replaced another one. */
interface Replacement {
  readonly waiting: Iterable<Tx>
  /** The recently accepted blocks, see `WrapperOptions`. */
  readonly recent?: RecentBlocks
}

/** Writes another chain into the store. */
export type WriteChain = (target: ReplacementTarget) => Replacement | Promise<Replacement>

/** Replaces the whole chain by the one that `write` writes into the store. */
export async function replaceChain(parts: ChainParts, write: WriteChain): Promise<void> {
  const { head, clock, renewal, waiters, halt } = parts
  head.flush()
  const setClock = (now: bigint, isFrozen: boolean): MetaChanges => {
    clock.set(now, isFrozen)
    return clockMeta(clock)
  }
  let kept: bigint | undefined
  const removing = (common: bigint | undefined): MetaChanges => {
    kept = common
    return removalAfter(parts, common)
  }
  const { waiting, recent } = await write({ commit: (edits, options) => head.commit(edits, options), setClock, removing })
  clock.markSaved()
  head.reopen(recent)
  head.replacePool(waiting)
  renewal?.forget()
  halt.end()
  waiters.refuse(producerError("producer.reverted"))
  const height = kept ?? 0n
  head.emit({ kind: "revert", height, id: requireID(head.written(), height) })
}

/** Returns the store's entry for the blocks that are removed after a height. */
function removalAfter({ head, options }: ChainParts, common: bigint | undefined): MetaChanges {
  if (common === undefined) return {}
  const known = options.store.getMeta("removedBlocks") ?? []
  const view = head.written()
  const last = { height: common, id: requireID(view, common) }
  return { removedBlocks: withRemoval(known, head.lastAccepted.height, last, (at) => view.get(tables.blockIDs, at)) }
}

function requireID(view: View, height: bigint): ID {
  const id = view.get(tables.blockIDs, height)
  if (!id) throw new Error(`the state has no block of height ${height}`)
  return id
}
