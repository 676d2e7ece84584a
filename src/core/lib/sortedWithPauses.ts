import { mergeSorted } from "./mergeSorted.js"
import type { Pace } from "./pace.js"

/** Number of items that are sorted in one piece, which takes some milliseconds. */
const AT_ONCE = 2048

/** Sorts items like `toSorted` with pauses: it sorts runs of items, and then merges them. */
export async function sortedWithPauses<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pace: Pace,
): Promise<readonly T[]> {
  const runs: T[][] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    runs.push(items.slice(start, start + AT_ONCE).sort(compare))
    if (pace.isDue) await pace.pause()
  }
  if (runs.length < 2) return runs[0] ?? []
  const sorted: T[] = []
  for (const item of mergeSorted(runs, compare)) {
    sorted.push(item)
    if (sorted.length % AT_ONCE === 0 && pace.isDue) await pace.pause()
  }
  return sorted
}
