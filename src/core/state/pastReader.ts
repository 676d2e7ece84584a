import { mergeSorted } from "../lib/mergeSorted.js"
import { doNow, type Work } from "../lib/work.js"
import type { IndexedView, MergedLists, PastReader } from "./view.js"

/** Returns the reader of the past rows of a view. */
export const pastOf = (view: IndexedView): PastReader => view.past ?? new StoredPast(view)

/** Reads rows of the past from a view that has all of them. */
class StoredPast implements PastReader {
  readonly #view: IndexedView

  constructor(view: IndexedView) {
    this.#view = view
  }

  // biome-ignore lint/correctness/useYield: the rows are there already
  *read<T>(compute: (view: IndexedView) => T): Work<T> {
    return compute(this.#view)
  }

  *each<T, R>(items: readonly T[], compute: (view: IndexedView, item: T) => R, isLast?: (value: R) => boolean): Work<R[]> {
    const values: R[] = []
    for (const item of items) {
      const value = compute(this.#view, item)
      values.push(value)
      if (isLast?.(value)) break
      yield
    }
    return values
  }

  merged<K, V>(lists: MergedLists<K, V>): Work<(readonly [K, V])[]> {
    return firstMerged(this.#view, lists)
  }
}

/** The number of merged rows that are read in one step, which takes about a millisecond. */
const ROWS_AT_ONCE = 100

/** Returns the first rows of merged lists that a view has. */
export function firstMergedNow<K, V>(view: IndexedView, lists: MergedLists<K, V>): (readonly [K, V])[] {
  return doNow(firstMerged(view, lists))
}

function* firstMerged<K, V>(view: IndexedView, lists: MergedLists<K, V>): Work<(readonly [K, V])[]> {
  const { table, ranges, compare, isBehind, limit } = lists
  const rows: (readonly [K, V])[] = []
  let [keys, last]: [number, K | undefined] = [0, undefined]
  for (const row of mergeSorted(
    ranges.map((range) => view.rows(table, range)),
    ([a], [b]) => compare(a, b),
  )) {
    if (isBehind?.(row[0])) break
    if (last === undefined || compare(last, row[0]) !== 0) {
      if (keys === limit) break
      keys++
      last = row[0]
    }
    rows.push(row)
    // A list alone has each key once.
    if (ranges.length === 1 && keys === limit) break
    if (rows.length % ROWS_AT_ONCE === 0) yield
  }
  return rows
}
