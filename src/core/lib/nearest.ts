/** Returns the known word that is closest to a mistyped one, if any is close enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of known) {
    const distance = candidate.startsWith(word) && word.length > 2 ? 1 : editDistance(word, candidate)
    if (distance >= least) continue
    best = candidate
    least = distance
  }
  return best
}

/** Counts the letters that must be added, removed, changed or swapped with their neighbour to turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) distance = Math.min(distance, beforeLast[j - 2]! + 1)
      row.push(distance)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
