import { mergeSorted } from "../lib/mergeSorted.js"
import type { ChargedPace, Pace } from "../lib/pace.js"
import type { IndexedView, MergedLists, PastReader } from "./view.js"

/** Returns the reader of the past rows of a view, which must be a snapshot if the work pauses. */
export const pastOf = (view: IndexedView, pace: ChargedPace): PastReader => view.past?.(pace) ?? storedPast(view, pace)

/** Reads rows of the past from a view that has all of them. */
const storedPast = (view: IndexedView, pace: Pace): PastReader => ({
  read: async (compute) => compute(view),

  async each(items, compute, isLast) {
    const values = []
    for (const item of items) {
      const value = compute(view, item)
      values.push(value)
      if (isLast?.(value)) break
      if (pace.isDue) await pace.pause()
    }
    return values
  },

  async merged(lists) {
    const rows = []
    for (const row of firstMerged(view, lists)) {
      rows.push(row)
      if (pace.isDue) await pace.pause()
    }
    return rows
  },
})

export function* firstMerged<K, V>(view: IndexedView, lists: MergedLists<K, V>): Iterable<readonly [K, V]> {
  const { table, ranges, compare, isBehind, limit } = lists
  const listed = ranges.map((range) => view.rows(table, range))
  let [keys, last]: [number, K | undefined] = [0, undefined]
  for (const row of mergeSorted(listed, ([a], [b]) => compare(a, b))) {
    if (isBehind?.(row[0])) return
    if (last === undefined || compare(last, row[0]) !== 0) {
      if (keys === limit) return
      keys++
      last = row[0]
    }
    yield row
    // A list alone has each key once.
    if (ranges.length === 1 && keys === limit) return
  }
}
