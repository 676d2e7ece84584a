import { parentPort } from "node:worker_threads"
import { secp256k1 } from "../core/crypto/backends.js"
import { Invalid } from "../core/lib/invalid.js"

/** Sizes of a hash, a signature and a compressed public key, in bytes. */
export const SIGNED_HASH_SIZE = 32
const SIGNATURE_SIZE = 65
/** The size of a hash with its signature, as they are sent to the thread one after the other. */
export const SIGNED_SIZE: number = SIGNED_HASH_SIZE + SIGNATURE_SIZE
export const PUBLIC_KEY_SIZE = 33

/** Recovers the public key of each hash and signature. An invalid signature gives zeros. */
export function recoverAll(signed: Uint8Array): Uint8Array {
  const count = signed.length / SIGNED_SIZE
  const keys = new Uint8Array(count * PUBLIC_KEY_SIZE)
  for (let i = 0; i < count; i++) {
    const each = signed.subarray(i * SIGNED_SIZE, (i + 1) * SIGNED_SIZE)
    const key = keyOrUndefined(each.subarray(0, SIGNED_HASH_SIZE), each.subarray(SIGNED_HASH_SIZE))
    if (key) keys.set(key, i * PUBLIC_KEY_SIZE)
  }
  return keys
}

function keyOrUndefined(hash: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  try {
    return secp256k1().recover(hash, signature)
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}

parentPort?.on("message", (signed: Uint8Array) => {
  const keys = recoverAll(signed)
  parentPort?.postMessage({ signed, keys }, [signed.buffer as ArrayBuffer, keys.buffer as ArrayBuffer])
})
