/** The sums of members' weights in their order, which say to which member a unit of weight belongs. */
export class WeightSums {
  /** The upper and the lower half of each sum. */
  readonly #highs: Uint32Array
  readonly #lows: Uint32Array
  /** The sum of all weights. */
  readonly total: bigint

  constructor(weights: readonly bigint[]) {
    this.#highs = new Uint32Array(weights.length)
    this.#lows = new Uint32Array(weights.length)
    let total = 0n
    for (const [i, weight] of weights.entries()) {
      total += weight
      this.#highs[i] = Number(total >> 32n)
      this.#lows[i] = Number(total & 0xffff_ffffn)
    }
    this.total = total
  }

  /** Returns the index of the member that a unit belongs to: the first whose sum is above it. The unit is below the total, in two halves. */
  memberAt(high: number, low: number): number {
    const [highs, lows] = [this.#highs, this.#lows]
    let first = 0
    let last = highs.length - 1
    while (first < last) {
      const middle = (first + last) >> 1
      const sum = highs[middle] as number
      if (sum > high || (sum === high && (lows[middle] as number) > low)) last = middle
      else first = middle + 1
    }
    return first
  }
}
