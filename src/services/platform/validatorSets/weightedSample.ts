import { randomFillSync } from "node:crypto"

/** Returns a random integer of 64 bits. */
export type Random64 = () => bigint

/** Makes a source of random numbers, which generates `atOnce` of them at a time: a call of the generator takes longer than a draw. */
export function systemRandom(atOnce: number): Random64 {
  const values = new BigUint64Array(atOnce)
  let used = atOnce
  return () => {
    if (used === atOnce) {
      randomFillSync(values)
      used = 0
    }
    return values[used++] as bigint
  }
}

const RANGE = 1n << 64n

/** Returns a random integer below a limit of at most 2^64. Each is equally likely, because values of an incomplete last cycle are drawn again. */
function below(limit: bigint, random: Random64): bigint {
  const cycles = RANGE - (RANGE % limit)
  for (;;) {
    const value = random()
    if (value < cycles) return value % limit
  }
}

/**
 * Draws units of weight by Floyd's algorithm, one for each number from `first` to the one before `end`, and adds them to those that were
 * drawn for the numbers below `first`. Of all units below `end` each subset has the same chance.
 */
export function drawUnits(drawn: Set<bigint>, first: bigint, end: bigint, random: Random64): void {
  for (let last = first; last < end; last++) {
    const unit = below(last + 1n, random)
    drawn.add(drawn.has(unit) ? last : unit)
  }
}

/** Returns the index of the member that a unit of weight belongs to: the first one whose sum of weights is above it. */
export function memberAt(sums: readonly bigint[], unit: bigint): number {
  let [first, last] = [0, sums.length - 1]
  while (first < last) {
    const middle = (first + last) >> 1
    if ((sums[middle] as bigint) > unit) last = middle
    else first = middle + 1
  }
  return first
}
