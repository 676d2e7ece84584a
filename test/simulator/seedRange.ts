/** First and last seed of a run. `SERAC_SEEDS` names others than those of the test or of soak, such as `601-1200`. */
export function seedRange(test: readonly [number, number], soak: readonly [number, number]): readonly [number, number] {
  const named = /^(\d+)-(\d+)$/.exec(process.env.SERAC_SEEDS ?? "")
  if (named) return [Number(named[1]), Number(named[2])]
  return process.env.SERAC_SOAK ? soak : test
}

/** All seeds of a range that are also in another one. */
export function seedsIn([first, last]: readonly [number, number], [from, to]: readonly [number, number]): number[] {
  const [start, end] = [Math.max(first, from), Math.min(last, to)]
  return Array.from({ length: Math.max(0, end - start + 1) }, (_, i) => start + i)
}
