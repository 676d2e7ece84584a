import { mulberry32 } from "../fixtures/mulberry32.js"
import { needs } from "../needs.js"

/** Random choices that are the same for the same seed. */
export class Random {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = mulberry32(seed)
  }

  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number {
    return Math.floor((this.#next() / 2 ** 32) * limit)
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  bytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => this.below(256))
  }

  /** A 64-bit number, often the smallest or the largest. */
  u64(): bigint {
    const value = (BigInt(this.below(2 ** 32)) << 32n) | BigInt(this.below(2 ** 32))
    return this.pick([0n, 1n, 0xffff_ffff_ffff_ffffn, value, value, value >> 40n])
  }
}

/** The seed of this run: `SERAC_SEED`, or always the same. It is printed, so that a failure can be reproduced. */
export function seed(what: string): number {
  const value = Number(process.env.SERAC_SEED ?? 20_260_815)
  console.info(`${what}: seed ${value} (SERAC_SEED sets another)`)
  return value
}

/** True in the long run (`npm run soak`). */
export const isSoak = process.env.SERAC_SOAK === "1"

/** Options of a test that only the long run has. */
export const needsSoak = needs(isSoak, "the long run (npm run soak)")

/** The number of attempts: in the long run all, else a part of them, a tenth if not given. */
export function attempts(full: number, part = 10): number {
  return isSoak ? full : Math.ceil(full / part)
}
