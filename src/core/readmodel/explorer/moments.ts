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
  const walks = lists.map((list) => list[Symbol.iterator]())
  try {
    const heads = new NewestHeads<T>()
    for (const [list, walk] of walks.entries()) heads.add(walk.next(), list)
    for (let newest = heads.take(); newest; newest = heads.take()) {
      const { height, index } = newest.entry
      const found: T[] = []
      let same: Head<T> | undefined = newest
      for (; same; same = heads.takeAt(height, index)) {
        found.push(same.entry)
        heads.add((walks[same.list] as Iterator<T>).next(), same.list)
      }
      yield { height, index, found }
    }
  } finally {
    for (const walk of walks) walk.return?.()
  }
}

/** The next entry of a list, and the number of the list. */
interface Head<T> {
  readonly entry: T
  readonly list: number
}

/** The next entries of some lists as a binary heap, because an address may belong to thousands of groups, each with a list of its own. */
class NewestHeads<T extends Moment> {
  readonly #heap: Head<T>[] = []

  add({ done, value }: IteratorResult<T>, list: number): void {
    if (done) return
    const heap = this.#heap
    const added = { entry: value, list }
    let at = heap.length
    for (let parent = (at - 1) >> 1; at > 0 && isBefore(added, heap[parent] as Head<T>); parent = (at - 1) >> 1) {
      heap[at] = heap[parent] as Head<T>
      at = parent
    }
    heap[at] = added
  }

  /** Takes the newest entry. Of several entries of one moment it takes that of the first list. */
  take(): Head<T> | undefined {
    const heap = this.#heap
    const [first] = heap
    const last = heap.pop()
    if (!last || heap.length === 0) return first
    let at = 0
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Head<T>, heap[child] as Head<T>)) child++
      if (!isBefore(heap[child] as Head<T>, last)) break
      heap[at] = heap[child] as Head<T>
      at = child
    }
    heap[at] = last
    return first
  }

  /** Takes an entry of this moment, if it is the newest. */
  takeAt(height: bigint, index: number): Head<T> | undefined {
    const newest = this.#heap[0]?.entry
    return newest?.height === height && newest.index === index ? this.take() : undefined
  }
}

function isBefore<T extends Moment>(a: Head<T>, b: Head<T>): boolean {
  return (compareNewest(a.entry, b.entry) || a.list - b.list) < 0
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
