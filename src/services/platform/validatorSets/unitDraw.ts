import type { RandomBits } from "./randomBits.js"

/**
 * Draws different units of weight, which are numbers below a total. A unit has up to 64 bits and is drawn as two halves of 32 bits, because
 * drawing with bigints takes several times as long.
 */
export interface UnitDraw {
  /** The upper and the lower half of the unit that was drawn last. */
  readonly high: number
  readonly low: number
  /** Draws another unit. */
  next(): void
}

/** Begins to draw at most `size` units. There must be as many. */
export function unitDraw(total: bigint, size: number, bits: RandomBits): UnitDraw {
  // For few of many numbers, a repeated draw is rare and is drawn again. For many of few, all are shuffled.
  return total > BigInt(size) * 2n ? new SparseDraw(total, size, bits) : new ShuffledDraw(Number(total), bits)
}

/** Returns the lowest number of ones that has as many bits as a number of up to 32 bits. */
const maskOf = (value: number): number => (value === 0 ? 0 : 0xffff_ffff >>> Math.clz32(value))

class SparseDraw implements UnitDraw {
  high = 0
  low = 0
  readonly #bits: RandomBits
  readonly #limit: { readonly high: number; readonly low: number }
  readonly #masks: { readonly high: number; readonly low: number }
  readonly #drawn: DrawnUnits

  constructor(total: bigint, size: number, bits: RandomBits) {
    this.#bits = bits
    const [high, low] = [Number(total >> 32n), Number(total & 0xffff_ffffn)]
    this.#limit = { high, low }
    this.#masks = { high: maskOf(high), low: high === 0 ? maskOf(low) : 0xffff_ffff }
    this.#drawn = size <= FEW ? new FewUnits() : new ManyUnits(size)
  }

  next(): void {
    do this.#drawOne()
    while (!this.#drawn.add(this.high, this.low))
  }

  /** Draws a unit, which may have been drawn before. Of numbers with as many bits as the total, at most half are not below it. */
  #drawOne(): void {
    const [limit, masks, bits] = [this.#limit, this.#masks, this.#bits]
    for (;;) {
      const high = masks.high === 0 ? 0 : (bits.next() & masks.high) >>> 0
      const low = (bits.next() & masks.low) >>> 0
      if (high > limit.high || (high === limit.high && low >= limit.low)) continue
      this.high = high
      this.low = low
      return
    }
  }
}

/** The units that were drawn. */
interface DrawnUnits {
  /** Adds a unit. Returns false if it is there already. */
  add(high: number, low: number): boolean
}

/** The number of units up to which comparing all of them takes less time than making a table. */
const FEW = 32

/** A few units, which are all compared with another one. */
class FewUnits implements DrawnUnits {
  readonly #highs: number[] = []
  readonly #lows: number[] = []

  add(high: number, low: number): boolean {
    const [highs, lows] = [this.#highs, this.#lows]
    for (let i = 0; i < lows.length; i++) if (lows[i] === low && highs[i] === high) return false
    highs.push(high)
    lows.push(low)
    return true
  }
}

/** Many units, in a table that stays at most half full. */
class ManyUnits implements DrawnUnits {
  readonly #highs: Uint32Array
  readonly #lows: Uint32Array
  /** The number of the unit in each place, from 1 on; 0 if there is none. */
  readonly #places: Uint32Array
  #count = 0

  constructor(size: number) {
    this.#highs = new Uint32Array(size)
    this.#lows = new Uint32Array(size)
    this.#places = new Uint32Array(2 << Math.ceil(Math.log2(size)))
  }

  add(high: number, low: number): boolean {
    const [places, highs, lows] = [this.#places, this.#highs, this.#lows]
    // Units are random, so that their lowest bits need no hash.
    let place = low & (places.length - 1)
    for (let at = places[place] as number; at !== 0; at = places[place] as number) {
      if (lows[at - 1] === low && highs[at - 1] === high) return false
      place = (place + 1) & (places.length - 1)
    }
    highs[this.#count] = high
    lows[this.#count] = low
    places[place] = ++this.#count
    return true
  }
}

/** Draws units by shuffling all of them. */
class ShuffledDraw implements UnitDraw {
  readonly high = 0
  low = 0
  readonly #bits: RandomBits
  readonly #all: Uint32Array
  #count = 0

  constructor(total: number, bits: RandomBits) {
    this.#bits = bits
    this.#all = Uint32Array.from({ length: total }, (_, i) => i)
  }

  next(): void {
    const [all, first] = [this.#all, this.#count++]
    const other = first + this.#below(all.length - first)
    this.low = all[other] as number
    all[other] = all[first] as number
  }

  #below(limit: number): number {
    const mask = maskOf(limit - 1)
    for (;;) {
      const value = (this.#bits.next() & mask) >>> 0
      if (value < limit) return value
    }
  }
}
