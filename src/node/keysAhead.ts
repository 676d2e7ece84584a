import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import { bls } from "../core/crypto/backends.js"
import { hexToBytes, toHex } from "../core/lib/bytes.js"
import { workerProgram } from "./workerProgram.js"

/** Sizes of a BLS key, bytes. */
export const COMPRESSED = 48
export const UNCOMPRESSED = 96

/** States of a key: no thread has begun it, the thread or the owner works on it, or its uncompressed form is there. */
export const KeyState = { unbegun: 0, begun: 1, done: 2 } as const

/** Keys in shared memory, one after the other, with the state and the uncompressed form of each. */
export interface SharedKeys {
  readonly states: Int32Array
  readonly compressed: Uint8Array
  readonly uncompressed: Uint8Array
}

/** The minimum number of keys. A thread starts in the time in which some 300 are decompressed. */
const MANY_KEYS = 600

const KEY_MEMBER = /"publicKey"\s*:\s*"0x([0-9a-f]{96})"/gi

/**
 * Begins to decompress the BLS keys of a large genesis file in a thread, the last key first, while this thread reads the file. Keys that
 * the thread has not begun are decompressed when they are needed. Returns whether a thread was started.
 */
export function decompressKeysAhead(genesisText: string, program = workerProgram("keyWorker")): boolean {
  if (program === undefined || availableParallelism() < 2) return false
  const texts = Array.from(genesisText.matchAll(KEY_MEMBER), ([, hex]) => (hex as string).toLowerCase())
  if (texts.length < MANY_KEYS) return false
  const keys: SharedKeys = {
    states: new Int32Array(new SharedArrayBuffer(4 * texts.length)),
    compressed: new Uint8Array(new SharedArrayBuffer(COMPRESSED * texts.length)),
    uncompressed: new Uint8Array(new SharedArrayBuffer(UNCOMPRESSED * texts.length)),
  }
  for (const [i, text] of texts.entries()) keys.compressed.set(hexToBytes(text), i * COMPRESSED)
  const thread = new Worker(program, { workerData: keys })
  // A thread that fails leaves the keys to this one.
  thread.on("error", () => {})
  const places = new Map(texts.map((text, i) => [text, i]))
  bls().findKeysIn((publicKey) => take(keys, places.get(toHex(publicKey))))
  // By then this thread has read the file, which it does without a pause.
  thread.once("exit", () => bls().findKeysIn(() => undefined))
  thread.unref()
  return true
}

/** Returns the uncompressed form of a key if it is there. Otherwise the caller computes it, and the thread need not. */
function take({ states, uncompressed }: SharedKeys, place: number | undefined): Uint8Array | undefined {
  if (place === undefined || Atomics.compareExchange(states, place, KeyState.unbegun, KeyState.begun) !== KeyState.done)
    return undefined
  return uncompressed.slice(place * UNCOMPRESSED, (place + 1) * UNCOMPRESSED)
}
