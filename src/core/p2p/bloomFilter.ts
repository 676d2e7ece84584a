import { sha256 } from "../crypto/hash.js"
import { concatBytes } from "../lib/bytes.js"
import { MAX64 } from "../lib/math64.js"
import { p2pError } from "./errors.js"

const MAX_HASHES = 16
const SEED_SIZE = 8
const ROTATION = 17n

/** Number of hash functions and bytes of a filter. */
export interface BloomSize {
  readonly hashes: number
  readonly bytes: number
}

/** Returns the size of a filter for `count` entries with this probability of false positives. */
export function bloomSize(count: number, falsePositives: number): BloomSize {
  const bits = (-count * Math.log(falsePositives)) / Math.LN2 ** 2
  const bytes = Math.max(1, Math.floor((bits + 7) / 8))
  const hashes = Math.min(MAX_HASHES, Math.max(1, Math.ceil((bytes * 8 * Math.LN2) / count)))
  return { hashes, bytes }
}

/**
 * A set of keys with false positives but no false negatives. Its bytes: the number of hash functions, a seed of 8 bytes for each, the bits.
 */
export class BloomFilter {
  readonly #seeds: readonly bigint[]
  readonly #bits: Uint8Array
  readonly salt: Uint8Array

  private constructor(seeds: readonly bigint[], bits: Uint8Array, salt: Uint8Array) {
    this.#seeds = seeds
    this.#bits = bits
    this.salt = salt
  }

  /** An empty filter; `seeds` has 8 random bytes for each hash function. */
  static empty({ hashes, bytes }: BloomSize, seeds: Uint8Array, salt: Uint8Array): BloomFilter {
    return new BloomFilter(seedsOf(seeds, hashes), new Uint8Array(bytes), salt)
  }

  /** Reads a filter. Throws `p2p.bad_filter`. */
  static parse(raw: Uint8Array, salt: Uint8Array): BloomFilter {
    const hashes = raw[0] ?? 0
    const start = 1 + hashes * SEED_SIZE
    if (hashes < 1 || hashes > MAX_HASHES || raw.length <= start) throw p2pError("p2p.bad_filter", { hashes, size: raw.length })
    return new BloomFilter(seedsOf(raw.subarray(1), hashes), raw.slice(start), salt)
  }

  add(key: Uint8Array): void {
    for (const index of this.#indexes(key)) this.#bits[index >> 3]! |= 1 << (index & 7)
  }

  has(key: Uint8Array): boolean {
    return this.#indexes(key).every((index) => (this.#bits[index >> 3]! & (1 << (index & 7))) !== 0)
  }

  toBytes(): Uint8Array {
    const head = new DataView(new ArrayBuffer(1 + this.#seeds.length * SEED_SIZE))
    head.setUint8(0, this.#seeds.length)
    this.#seeds.forEach((seed, i) => {
      head.setBigUint64(1 + i * SEED_SIZE, seed)
    })
    return concatBytes(new Uint8Array(head.buffer), this.#bits)
  }

  #indexes(key: Uint8Array): number[] {
    const hash = sha256(concatBytes(key, this.salt))
    let x = new DataView(hash.buffer, hash.byteOffset).getBigUint64(0)
    const size = BigInt(this.#bits.length * 8)
    return this.#seeds.map((seed) => {
      x = (((x << ROTATION) & MAX64) | (x >> (64n - ROTATION))) ^ seed
      return Number(x % size)
    })
  }
}

function seedsOf(raw: Uint8Array, count: number): bigint[] {
  const view = new DataView(raw.buffer, raw.byteOffset)
  return Array.from({ length: count }, (_, i) => view.getBigUint64(i * SEED_SIZE))
}
