import type { Random } from "../../src/core/p2p/random.js"
import { mulberry32 } from "../fixtures/mulberry32.js"

/** Returns the random source of a simulated node, which gives the same numbers for the same seed. */
export function seededRandom(seed: number): Random & { fork(): Random } {
  const next = mulberry32(seed)
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
