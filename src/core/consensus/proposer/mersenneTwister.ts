import { MAX64 } from "../../lib/math64.js"

/** A source of numbers of 64 bits. */
export interface Numbers {
  next(): bigint
}

const N64 = 312
const M64 = 156
const UPPER64 = 0xffff_ffff_8000_0000n
const LOWER64 = 0x7fff_ffffn
const MATRIX64 = 0xb502_6f5a_a966_19e9n

/** MT19937-64: draws the owner of a slot since Durango. */
export function mersenneTwister64(seed: bigint): Numbers {
  const state = new BigUint64Array(N64)
  state[0] = seed
  for (let i = 1; i < N64; i++) {
    const before = state[i - 1] as bigint
    state[i] = (6364136223846793005n * (before ^ (before >> 62n)) + BigInt(i)) & MAX64
  }
  let at = N64
  const refill = () => {
    for (let i = 0; i < N64; i++) {
      const x = ((state[i] as bigint) & UPPER64) | ((state[(i + 1) % N64] as bigint) & LOWER64)
      state[i] = (state[(i + M64) % N64] as bigint) ^ (x >> 1n) ^ ((x & 1n) === 1n ? MATRIX64 : 0n)
    }
    at = 0
  }
  return {
    next() {
      if (at === N64) refill()
      let x = state[at++] as bigint
      x ^= (x >> 29n) & 0x5555_5555_5555_5555n
      x ^= (x << 17n) & 0x71d6_7fff_eda6_0000n
      x ^= (x << 37n) & 0xfff7_eee0_0000_0000n
      return x ^ (x >> 43n)
    },
  }
}

const N32 = 624
const M32 = 397

/** MT19937 of 32 bits, with two outputs for a number, the high one first. It draws proposers before Durango. */
export function mersenneTwister32(seed: number): Numbers & { next32(): number } {
  const state = new Uint32Array(N32)
  state[0] = seed
  for (let i = 1; i < N32; i++) {
    const before = state[i - 1] as number
    state[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i
  }
  let at = N32
  const refill = () => {
    for (let i = 0; i < N32; i++) {
      const x = ((state[i] as number) & 0x8000_0000) | ((state[(i + 1) % N32] as number) & 0x7fff_ffff)
      state[i] = (state[(i + M32) % N32] as number) ^ (x >>> 1) ^ ((x & 1) === 1 ? 0x9908_b0df : 0)
    }
    at = 0
  }
  const next32 = () => {
    if (at === N32) refill()
    let x = state[at++] as number
    x ^= x >>> 11
    x ^= (x << 7) & 0x9d2c_5680
    x ^= (x << 15) & 0xefc6_0000
    return (x ^ (x >>> 18)) >>> 0
  }
  return { next32, next: () => (BigInt(next32()) << 32n) | BigInt(next32()) }
}
