/** Randomness as input: the operating system's in a node, a seeded generator in the simulator. */
export interface Random {
  bytes(size: number): Uint8Array
  /** A number from 0 to 1, without 1. */
  fraction(): number
}

/** A number from 0 to `count`, without `count`. */
export function randomIndex(random: Random, count: number): number {
  return Math.floor(random.fraction() * count)
}

/** `count` of these items, in random order. */
export function sampleOf<T>(random: Random, items: readonly T[], count: number): T[] {
  const rest = [...items]
  const size = Math.min(count, rest.length)
  for (let i = 0; i < size; i++) {
    const j = i + randomIndex(random, rest.length - i)
    ;[rest[i], rest[j]] = [rest[j] as T, rest[i] as T]
  }
  return rest.slice(0, size)
}
