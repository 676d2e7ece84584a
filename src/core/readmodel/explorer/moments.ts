import { mergeSorted } from "../../lib/mergeSorted.js"
import type { Table } from "../../state/table.js"
import type { View } from "../../state/view.js"
import { type Moment, readTables } from "../tables.js"

/** The requested part of a list, newest first. */
export interface MomentRange {
  /** The last moment of the previous page. */
  readonly before?: Moment | undefined
  /** The lowest and the highest height. */
  readonly from?: bigint | undefined
  readonly to?: bigint | undefined
}

/** Returns the rows of one list, newest first. `under` has the parts of the key before the moment. */
export function* rowsOfList<K extends Moment, V>(
  view: View,
  table: Table<K, V>,
  under: Partial<K>,
  { before, from = 0n, to }: MomentRange,
): Iterable<readonly [K, V]> {
  const isCut = to !== undefined && (!before || to < before.height)
  const start = isCut ? { from: { height: to } } : before ? { after: { height: before.height, index: before.index } } : {}
  for (const row of view.rows(table, { under, ...(start as { after?: Partial<K> }) })) {
    if (row[0].height < from) return
    yield row
  }
}

/** An entry of one of several lists that are merged. */
export interface MergedEntry<T> extends Moment {
  /** The entries of this moment in the lists that have it, in the order of the lists. */
  readonly found: readonly T[]
}

/** Merges lists that are each newest first. Closes all of them when the reader stops. */
export function* mergeNewest<T extends Moment>(lists: readonly Iterable<T>[]): Iterable<MergedEntry<T>> {
  let found: T[] = []
  for (const entry of mergeSorted(lists, compareNewest)) {
    const [first] = found
    if (first && compareNewest(first, entry) !== 0) {
      yield { height: first.height, index: first.index, found }
      found = []
    }
    found.push(entry)
  }
  const [first] = found
  if (first) yield { height: first.height, index: first.index, found }
}

/** Compares moments, newest first. */
function compareNewest(a: Moment, b: Moment): number {
  return a.height === b.height ? b.index - a.index : a.height > b.height ? -1 : 1
}

/** Returns the height of the last block whose time is not after a time (Unix seconds); `undefined` if the chain began later. */
export function heightAtTime(view: View, time: bigint, tip: bigint): bigint | undefined {
  if (timeAt(view, 0n) > time) return undefined
  let [low, high] = [0n, tip]
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (timeAt(view, middle) <= time) low = middle
    else high = middle - 1n
  }
  return low
}

function timeAt(view: View, height: bigint): bigint {
  const time = view.get(readTables.blockTimes, height)
  if (time === undefined) throw new Error(`the time of block ${height} is missing`)
  return time
}
