/** The maximum number of bits of a part's number, so that the parts of any set take 256 KiB at most. */
const MAX_PART_BITS = 16

/**
 * The sums of members' weights in their order, which say to which member a unit of weight belongs. All units are divided into equal parts,
 * about as many as there are members, so that few members are compared to find that of a unit.
 */
export class WeightSums {
  /** The upper and the lower half of each sum. */
  readonly #highs: Uint32Array
  readonly #lows: Uint32Array
  /** The index of the member that the first unit of each part belongs to, and the last member's index at the end. */
  readonly #parts: Uint32Array
  /** The number of bits of a unit below those that are the number of its part. */
  readonly #partShift: number
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
    const partBits = Math.min(MAX_PART_BITS, bitsOf(BigInt(weights.length)))
    this.#partShift = Math.max(0, bitsOf(total) - partBits)
    this.#parts = this.#firstMembers(Number(total >> BigInt(this.#partShift)) + 1)
  }

  /** Returns the index of the member that a unit belongs to: the first whose sum is above it. The unit is below the total, in two halves. */
  memberAt(high: number, low: number): number {
    const part = this.#partOf(high, low)
    return this.#search(high, low, this.#parts[part] as number, this.#parts[part + 1] as number)
  }

  #partOf(high: number, low: number): number {
    const shift = this.#partShift
    if (shift >= 32) return high >>> (shift - 32)
    return shift === 0 ? low : ((high << (32 - shift)) | (low >>> shift)) >>> 0
  }

  #firstMembers(parts: number): Uint32Array {
    const shift = this.#partShift
    const last = Math.max(0, this.#highs.length - 1)
    const first = new Uint32Array(parts + 1).fill(last)
    let member = 0
    for (let part = 0; part < parts; part++) {
      const high = shift >= 32 ? part << (shift - 32) : shift === 0 ? 0 : part >>> (32 - shift)
      const low = shift >= 32 ? 0 : part << shift
      while (member < last && !this.#isAbove(member, high >>> 0, low >>> 0)) member++
      first[part] = member
    }
    return first
  }

  /** Returns whether the sum of a member is above a unit. */
  #isAbove(member: number, high: number, low: number): boolean {
    const sum = this.#highs[member] as number
    return sum > high || (sum === high && (this.#lows[member] as number) > low)
  }

  /** Returns the index of the first member whose sum is above a unit, or the last of the given members if there is none before it. */
  #search(high: number, low: number, from: number, to: number): number {
    let [first, last] = [from, to]
    while (first < last) {
      const middle = (first + last) >> 1
      if (this.#isAbove(middle, high, low)) last = middle
      else first = middle + 1
    }
    return first
  }
}

const bitsOf = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length)
