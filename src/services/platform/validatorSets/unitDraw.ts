import { RandomBits } from "./randomBits.js"

/**
 * Draws units of weight, which are numbers below a total. A unit has up to 64 bits and is drawn as two halves of 32 bits, because
 * drawing with bigints takes several times as long.
 */
export interface UnitDraw {
  /** The upper and the lower half of the unit that was drawn last. They must be read before anything else is drawn. */
  readonly high: number
  readonly low: number
  /** Draws another unit. */
  next(): void
}

/** Begins to draw at most `size` different units. There must be as many. */
export function unitDraw(units: RandomUnits, size: number): UnitDraw {
  // For few of many numbers, a repeated draw is rare and is drawn again. For many of few, all are shuffled.
  return units.areMany(size) ? new SparseDraw(units, size) : new ShuffledDraw(Number(units.total), units.bits)
}

/** Returns the lowest number of ones that has as many bits as a number of up to 32 bits. */
const maskOf = (value: number): number => (value === 0 ? 0 : 0xffff_ffff >>> Math.clz32(value))

/** Random units of weight, which may repeat. */
export class RandomUnits implements UnitDraw {
  /** Bytes of memory that it takes. */
  static readonly SIZE = RandomBits.SIZE

  high = 0
  low = 0
  readonly total: bigint
  readonly bits = new RandomBits()
  readonly #limit: { readonly high: number; readonly low: number }
  readonly #masks: { readonly high: number; readonly low: number }

  constructor(total: bigint) {
    const [high, low] = [Number(total >> 32n), Number(total & 0xffff_ffffn)]
    this.total = total
    this.#limit = { high, low }
    this.#masks = { high: maskOf(high), low: high === 0 ? maskOf(low) : 0xffff_ffff }
  }

  /** Returns whether there are more than twice as many units as `size`. */
  areMany(size: number): boolean {
    return this.#limit.high > 0 || this.#limit.low > 2 * size
  }

  /** Draws a unit. Of numbers with as many bits as the total, at most half are not below it. */
  next(): void {
    const [limit, masks, bits] = [this.#limit, this.#masks, this.bits]
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

/** The maximum number of units of `FewUnits`. */
export const FEW = 32

/**
 * Draws a few different units in ascending order. Inserting each in its place also finds repeated units. It is used again for the next
 * sample, so that no arrays are made for each.
 */
export class FewUnits {
  /** The upper and the lower halves of the units that were drawn last. */
  readonly highs = new Uint32Array(FEW)
  readonly lows = new Uint32Array(FEW)
  readonly #units: RandomUnits

  constructor(units: RandomUnits) {
    this.#units = units
  }

  /** Draws units, at most `FEW`. There must be more than twice as many. */
  draw(size: number): void {
    const units = this.#units
    for (let count = 0; count < size; ) {
      units.next()
      if (this.#insert(units.high, units.low, count)) count++
    }
  }

  /** Inserts a unit among the first units. Returns false if it is there already. */
  #insert(high: number, low: number, count: number): boolean {
    const { highs, lows } = this
    let at = 0
    while (at < count && ((highs[at] as number) < high || (highs[at] === high && (lows[at] as number) < low))) at++
    if (at < count && highs[at] === high && lows[at] === low) return false
    for (let i = count; i > at; i--) {
      highs[i] = highs[i - 1] as number
      lows[i] = lows[i - 1] as number
    }
    highs[at] = high
    lows[at] = low
    return true
  }
}

/** Draws different units: another one in place of each that was drawn before. */
class SparseDraw implements UnitDraw {
  readonly #units: RandomUnits
  readonly #drawn: DrawnUnits

  constructor(units: RandomUnits, size: number) {
    this.#units = units
    this.#drawn = new DrawnUnits(size)
  }

  get high(): number {
    return this.#units.high
  }

  get low(): number {
    return this.#units.low
  }

  next(): void {
    do this.#units.next()
    while (!this.#drawn.add(this.high, this.low))
  }
}

/** The units that were drawn, in a table that stays at most half full. */
class DrawnUnits {
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

  /** Adds a unit. Returns false if it is there already. */
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
