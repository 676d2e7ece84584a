import type { OuterChain } from "../core/consensus/proposer/outerChain.js"
import { wrapperTables } from "../core/consensus/proposer/tables.js"
import { outerBytesAt } from "../core/consensus/proposer/wrapperStore.js"
import { toHex } from "../core/lib/bytes.js"
import { Diff } from "../core/state/diff.js"
import type { View } from "../core/state/view.js"
import { applyOverride, overridesOf } from "../producer/chain/overrides.js"
import type { Override } from "../producer/tables.js"
import type { Store } from "../store/store.js"
import type { RawEntry } from "../sync/blockEntry.js"
import { replay } from "../sync/replay.js"
import { nodeError } from "./errors.js"

/** The chain that executes blocks again, and its store. */
export interface Reexecution {
  readonly outer: OuterChain
  readonly store: Pick<Store, "latest" | "commit">
  /** The last height to execute. */
  readonly until: bigint
  /** Returns the machine's clock, Unix milliseconds. */
  now(): number
  /** Returns true when the execution should stop. */
  isStopped?(): boolean
  onBlock?(height: bigint): void
}

/**
 * Executes the blocks of a view again on another chain, after its last block, and applies the overrides of a private chain after their
 * blocks. Throws `node.damaged` if a block is missing, and the errors of `replay`.
 */
export async function reexecute(view: View, { outer, store, until, ...options }: Reexecution): Promise<void> {
  const overrides = overridesByHeight(view)
  const { chain } = outer
  const begun = chain.lastAccepted.height
  // Overrides after the last block may be missing after a kill, and applying them again changes nothing.
  const stops = new Set([...overrides.keys()].filter((height) => height >= begun && height < until)).add(until)
  for (const stop of stops) {
    await replay(blocksOf(view, chain.lastAccepted.height + 1n, stop), outer, options)
    const diff = new Diff(store.latest)
    for (const override of overrides.get(stop) ?? []) applyOverride(diff, override)
    if (diff.size > 0) store.commit(diff.edits)
  }
}

function overridesByHeight(view: View): ReadonlyMap<bigint, readonly Override[]> {
  const byHeight = new Map<bigint, Override[]>()
  for (const { height, override } of overridesOf(view)) byHeight.set(height, [...(byHeight.get(height) ?? []), override])
  return byHeight
}

async function* blocksOf(view: View, from: bigint, to: bigint): AsyncIterable<RawEntry> {
  for (let height = from; height <= to; height++) {
    const bytes = outerBytesAt(view, height)
    if (!bytes) throw nodeError("node.damaged", { fault: `there is no block of height ${height}` })
    // A private chain may have verified Warp messages at another height than its wrapper names.
    const warpHeight = view.get(wrapperTables.warpHeights, height)
    yield { text: warpHeight === undefined ? toHex(bytes) : `${toHex(bytes)} ${warpHeight}`, place: Number(height) }
  }
}
