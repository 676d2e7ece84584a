import { randomBytes } from "node:crypto"
import type { Random } from "../core/p2p/random.js"

/** Randomness of the operating system, and a faster one for choices that nobody profits from guessing. */
export const systemRandom: Random = { bytes: (size) => new Uint8Array(randomBytes(size)), fraction: () => Math.random() }
