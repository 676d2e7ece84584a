import type { Random } from "../../src/core/p2p/random.js"

/** A generator that gives the same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): Random & { fork(): Random } {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
  return {
    fraction: () => next() / 2 ** 32,
    bytes(size) {
      const bytes = new Uint8Array(size)
      for (let i = 0; i < size; i++) bytes[i] = next()
      return bytes
    },
    fork: () => seededRandom(next()),
  }
}
