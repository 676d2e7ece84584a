import { parentPort, workerData } from "node:worker_threads"
import { bls } from "../core/crypto/backends.js"
import { Invalid } from "../core/lib/invalid.js"
import { COMPRESSED, KeyState, type SharedKeys, UNCOMPRESSED } from "./keysAhead.js"

// The program of a thread that decompresses BLS keys, the last one first, until it meets those that the owner has begun.
function decompressAll({ states, compressed, uncompressed }: SharedKeys): void {
  for (let i = states.length - 1; i >= 0; i--) {
    if (Atomics.compareExchange(states, i, KeyState.unbegun, KeyState.begun) !== KeyState.unbegun) continue
    try {
      uncompressed.set(bls().decompressKey(compressed.slice(i * COMPRESSED, (i + 1) * COMPRESSED)), i * UNCOMPRESSED)
      Atomics.store(states, i, KeyState.done)
    } catch (error) {
      // The owner decompresses it again, and refuses it.
      if (!(error instanceof Invalid)) throw error
    }
  }
}

if (parentPort) decompressAll(workerData as SharedKeys)
