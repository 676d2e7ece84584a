import type { NodeID } from "../../types/id.js"
import type { Numbers } from "./mersenneTwister.js"

/** A validator and its weight in the draw of proposers. */
export interface WeightedValidator {
  readonly nodeID: NodeID
  readonly weight: bigint
}

const MAX63 = (1n << 63n) - 1n

/** Draws a number from 0 to `most`, included, each equally likely. It uses as many numbers as AvalancheGo does. */
function drawUpTo(most: bigint, numbers: Numbers): bigint {
  if ((most & (most + 1n)) === 0n) return numbers.next() & most
  if (most > MAX63) {
    for (;;) {
      const value = numbers.next()
      if (value <= most) return value
    }
  }
  const fair = MAX63 - ((1n << 63n) % (most + 1n))
  for (;;) {
    const value = numbers.next() & MAX63
    if (value <= fair) return value % (most + 1n)
  }
}

/**
 * Draws validators by weight, without replacement of units of weight. The validators are in a heap, the heaviest first, in
 * which a unit is looked up by subtracting weights on the way down.
 */
export class WeightedDraw {
  readonly #heap: readonly WeightedValidator[]
  /** The weight of each node of the heap and all below it. */
  readonly #sums: readonly bigint[]

  /** `validators` in the order of their node IDs. */
  constructor(validators: readonly WeightedValidator[]) {
    // The sort keeps the order of equals.
    this.#heap = [...validators].sort((a, b) => (a.weight === b.weight ? 0 : a.weight > b.weight ? -1 : 1))
    const sums = this.#heap.map(({ weight }) => weight)
    for (let i = sums.length - 1; i > 0; i--) sums[(i - 1) >> 1]! += sums[i] as bigint
    this.#sums = sums
  }

  get total(): bigint {
    return this.#sums[0] ?? 0n
  }

  /** Draws `count` units, or all there are, and returns the validator of each. */
  draw(count: number, numbers: Numbers): NodeID[] {
    const units = this.total < BigInt(count) ? Number(this.total) : count
    const moved = new Map<bigint, bigint>()
    return Array.from({ length: units }, (_, i) => {
      const k = BigInt(i)
      const j = k + drawUpTo(this.total - 1n - k, numbers)
      const value = moved.get(j) ?? j
      moved.set(j, moved.get(k) ?? k)
      return this.#ownerOf(value)
    })
  }

  #ownerOf(unit: bigint): NodeID {
    let i = 0
    let left = unit
    for (;;) {
      const { nodeID, weight } = this.#heap[i] as WeightedValidator
      if (left < weight) return nodeID
      left -= weight
      i = 2 * i + 1
      const below = this.#sums[i] as bigint
      if (left >= below) {
        left -= below
        i++
      }
    }
  }
}
