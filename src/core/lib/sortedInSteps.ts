import type { Work } from "./work.js"

/** Number of items that are sorted or merged in one step, which takes some milliseconds. */
const AT_ONCE = 2048

/** Sorts items like `toSorted` in steps: it sorts runs of items, and then merges them in pairs. */
export function* sortedInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Work<readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let start = 0; start < items.length; start += AT_ONCE) {
    runs.push(items.slice(start, start + AT_ONCE).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* mergedInSteps(runs[i] ?? [], runs[i + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* mergedInSteps<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Work<readonly T[]> {
  const merged: T[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const isFirst = j === b.length || (i < a.length && compare(a[i] as T, b[j] as T) <= 0)
    merged.push(isFirst ? (a[i++] as T) : (b[j++] as T))
    if (merged.length % AT_ONCE === 0) yield
  }
  return merged
}
