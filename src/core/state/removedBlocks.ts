import { list } from "../codec/list.js"
import { u64 } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { type ID, id } from "../types/id.js"
import { tables } from "./tables.js"
import type { View } from "./view.js"

const place = struct({ height: u64, id })

/** A place in a chain: the height of a block, and its ID. */
export type BlockPlace = TypeOf<typeof place>

/** The blocks that were removed when a chain went back: the last block that stayed, and the IDs of those from the height `first` on. */
const removal = struct({ common: place, first: u64, ids: list(id) })
export type Removal = TypeOf<typeof removal>

/** The removals of a chain, the oldest first. Only the latest blocks are remembered. */
export const removals = list(removal)
export type Removals = readonly Removal[]

/** The number of removed blocks that are remembered: 128 KiB. */
export const REMEMBERED = 4096

/**
 * Adds the removal of all blocks of a chain after the block `common`, before they are removed. `idAt` returns the ID of its block at a height, as
 * far down as it is known.
 */
export function withRemoval(
  before: Removals,
  tip: bigint,
  common: BlockPlace,
  idAt: (height: bigint) => ID | undefined,
): Removals {
  const ids: ID[] = []
  for (let at = tip; at > common.height && ids.length < REMEMBERED; at--) {
    const id = idAt(at)
    if (id === undefined) break
    ids.push(id)
  }
  if (ids.length === 0) return before
  ids.reverse()
  const all = [...before, { common, first: tip - BigInt(ids.length) + 1n, ids }]
  let [start, left] = [all.length, REMEMBERED]
  while (start > 0 && left > 0) left -= (all[--start] as Removal).ids.length
  return all.slice(left < 0 ? start + 1 : start)
}

/** Where a reader and a chain parted. */
export interface Parting {
  /** The last block that both have. */
  readonly common: BlockPlace
  /** The IDs of the blocks that the reader alone has, by ascending height; `undefined` if they are no longer known. */
  readonly removed: readonly ID[] | undefined
}

/**
 * Returns where a reader whose last block is at a place parted from a chain. `has` tells whether the chain has a block. Returns `undefined` if
 * the chain does not have the block and it is not among those that are remembered as removed.
 */
export function partingFrom(last: BlockPlace, has: (place: BlockPlace) => boolean, known: Removals): Parting | undefined {
  let common = last
  let removed: readonly ID[] | undefined = []
  while (!has(common)) {
    const { height, id } = common
    // A block may have been accepted and removed more than once.
    const found = known.findLast(({ first, ids }) => height >= first && ids[Number(height - first)] === id)
    if (!found) return undefined
    const own = found.ids.slice(0, Number(height - found.first) + 1)
    // The lowest blocks of a large removal are not remembered.
    const isWhole = found.first === found.common.height + 1n
    removed = isWhole && removed ? [...own, ...removed] : undefined
    common = found.common
  }
  return { common, removed }
}

/** Returns whether a state has a block at a place. */
export const hasBlock =
  (view: View) =>
  ({ height, id }: BlockPlace): boolean =>
    view.get(tables.blockIDs, height) === id

/** Returns the height of the last block that two chains have in common; `undefined` if they have no block in common. */
export function commonHeightOf(one: View, other: View): bigint | undefined {
  const heightIn = (view: View) => view.get(tables.lastAccepted, null)?.height ?? 0n
  const [height, otherHeight] = [heightIn(one), heightIn(other)]
  const isCommon = (at: bigint) => {
    const found = one.get(tables.blockIDs, at)
    return found !== undefined && found === other.get(tables.blockIDs, at)
  }
  // Blocks name their parents, so every block below a common one is common, too.
  let [low, high] = [-1n, height < otherHeight ? height : otherHeight]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (isCommon(middle)) low = middle
    else high = middle - 1n
  }
  return low < 0n ? undefined : low
}
