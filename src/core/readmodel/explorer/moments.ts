import type { ChainBound } from "../../lib/chainBound.js"
import type { Range } from "../../state/range.js"
import type { Table } from "../../state/table.js"
import type { PastReader, View } from "../../state/view.js"
import { blockTime } from "../blockTimes.js"
import type { Moment } from "../tables.js"

/** The requested part of a list, newest first. */
export interface MomentRange {
  /** The last moment of the previous page. */
  readonly before?: Moment | undefined
  /** The lowest and the highest height. */
  readonly from?: bigint | undefined
  readonly to?: bigint | undefined
}

/** Returns the range of one list. `under` has the parts of the key before the moment. */
function rangeOf<K extends { readonly height: bigint }>(under: Partial<K>, { before, to }: MomentRange): Range<K> {
  const isCut = to !== undefined && (!before || to < before.height)
  const start = isCut ? { from: { height: to } } : before ? { after: { height: before.height, index: before.index } } : {}
  return { under, ...(start as unknown as { after?: Partial<K> }) }
}

/** Returns the rows of one list, newest first. `under` has the parts of the key before the moment. */
export function* rowsOfList<K extends { readonly height: bigint }, V>(
  view: View,
  table: Table<K, V>,
  under: Partial<K>,
  range: MomentRange,
): Iterable<readonly [K, V]> {
  for (const row of view.rows(table, rangeOf(under, range))) {
    if (row[0].height < (range.from ?? 0n)) return
    yield row
  }
}

export interface MergedEntry<K, V> extends Moment {
  /** The rows of this moment in the lists that have it, in the order of the lists. */
  readonly found: readonly (readonly [K, V])[]
}

/** The merged lists of a query: `under` has for each of them the parts of the key before the moment. */
export interface NewestQuery<K extends Moment, V> extends MomentRange {
  readonly table: Table<K, V>
  readonly under: readonly Partial<K>[]
  readonly limit: number
}

/** Returns the first moments of merged lists, newest first. */
export async function newestOf<K extends Moment, V>(
  past: PastReader,
  { table, under, limit, ...range }: NewestQuery<K, V>,
): Promise<MergedEntry<K, V>[]> {
  const ranges = under.map((each) => rangeOf(each, range))
  const isBehind = ({ height }: K) => height < (range.from ?? 0n)
  const entries: (Moment & { found: (readonly [K, V])[] })[] = []
  for (const row of await past.merged({ table, ranges, compare: compareNewest, isBehind, limit })) {
    const last = entries.at(-1)
    if (last && compareNewest(last, row[0]) === 0) last.found.push(row)
    else entries.push({ height: row[0].height, index: row[0].index, found: [row] })
  }
  return entries
}

export function compareNewest(a: Moment, b: Moment): number {
  return a.height === b.height ? b.index - a.index : a.height > b.height ? -1 : 1
}

/** The number of blocks whose times are compared at once to find a height. */
const PROBES = 32n

/** Returns the height of the last block whose time is not after a time (Unix seconds); `undefined` if the chain began later. */
export async function heightAtTime(past: PastReader, time: bigint, tip: bigint): Promise<bigint | undefined> {
  let [low, high] = [-1n, tip]
  // The block of `low` is not after the time, and that of `high + 1` is.
  while (low < high) {
    const step = (high - low + PROBES - 1n) / PROBES
    const heights: bigint[] = []
    for (let height = low + step; height <= high; height += step) heights.push(height)
    const times = await past.each(heights, blockTime)
    const after = times.findIndex((each) => each > time)
    if (after !== 0) low = heights.at(after === -1 ? -1 : after - 1) as bigint
    if (after !== -1) high = (heights[after] as bigint) - 1n
  }
  return low < 0n ? undefined : low
}

/** A part of a chain. Without a bound it begins with genesis, or ends with the last block. */
export interface ChainPart {
  readonly from?: ChainBound | undefined
  readonly to?: ChainBound | undefined
}

/** Returns the heights of a part, of which the highest is only named if the part has an end; `undefined` if the chain has no block of it. */
export async function heightsOf(
  { from, to }: ChainPart,
  past: PastReader,
  tip: bigint,
): Promise<Pick<MomentRange, "from" | "to"> | undefined> {
  const lowest = from?.kind === "time" ? ((await heightAtTime(past, from.value - 1n, tip)) ?? -1n) + 1n : (from?.value ?? 0n)
  const end = to?.kind === "time" ? await heightAtTime(past, to.value, tip) : (to?.value ?? tip)
  if (end === undefined || lowest > end || lowest > tip) return undefined
  return { ...(lowest > 0n ? { from: lowest } : {}), ...(to === undefined ? {} : { to: end < tip ? end : tip }) }
}
