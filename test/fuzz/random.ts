/** A small generator of numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit)
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!
  }

  bytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => this.below(256))
  }

  /** 64 bits; often one of the ends. */
  u64(): bigint {
    const value = (BigInt(this.below(2 ** 32)) << 32n) | BigInt(this.below(2 ** 32))
    return this.pick([0n, 1n, 0xffff_ffff_ffff_ffffn, value, value, value >> 40n])
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The seed of this run: `SERAC_SEED`, or always the same. Printed, so that a failure can be had again. */
export function seed(what: string): number {
  const value = Number(process.env.SERAC_SEED ?? 20_260_815)
  console.info(`${what}: seed ${value} (SERAC_SEED sets another)`)
  return value
}

/** True in the long run (`npm run soak`). */
export const isSoak = process.env.SERAC_SOAK === "1"

/** The number of attempts: in the long run all, else a part of them, a tenth if not given. */
export function attempts(full: number, part = 10): number {
  return isSoak ? full : Math.ceil(full / part)
}
