import { randomBytes } from "node:crypto"
import type { Random } from "../../core/p2p/random.js"

/** Random numbers of the operating system, and faster ones for choices that need not be unpredictable. */
export const systemRandom: Random = { bytes: (size) => new Uint8Array(randomBytes(size)), fraction: () => Math.random() }
