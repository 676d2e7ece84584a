import type { Pace } from "./pace.js"

/** Number of items that are sorted in one piece, which takes some milliseconds. */
const AT_ONCE = 2048

/** Sorts items like `toSorted` with pauses: it sorts runs of items, and then merges them in pairs. */
export async function sortedWithPauses<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pace: Pace,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    runs.push(items.slice(start, start + AT_ONCE).sort(compare))
    if (pace.isDue) await pace.pause()
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let i = 0; i < runs.length; i += 2) merged.push(await mergedRuns(runs[i] ?? [], runs[i + 1] ?? [], compare, pace))
    runs = merged
  }
  return runs[0] ?? []
}

async function mergedRuns<T>(
  a: readonly T[],
  b: readonly T[],
  compare: (a: T, b: T) => number,
  pace: Pace,
): Promise<readonly T[]> {
  const merged: T[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const isFirst = j === b.length || (i < a.length && compare(a[i] as T, b[j] as T) <= 0)
    merged.push(isFirst ? (a[i++] as T) : (b[j++] as T))
    if (merged.length % AT_ONCE === 0 && pace.isDue) await pace.pause()
  }
  return merged
}
