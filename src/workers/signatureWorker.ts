import { parentPort } from "node:worker_threads"
import { addressOf } from "../core/crypto/secp256k1.js"
import { Invalid } from "../core/lib/invalid.js"
import { secp256k1 } from "../platform/backends.js"
import { HASH_BYTES, type RecoverAnswer, type RecoverQuestion, SIGNED_BYTES } from "./signaturePool.js"

// The program of a thread that recovers the signers of transactions.
parentPort?.on("message", ({ id, signed }: RecoverQuestion) => {
  const addresses = Array.from({ length: signed.length / SIGNED_BYTES }, (_, i) =>
    signerOf(signed.subarray(i * SIGNED_BYTES, (i + 1) * SIGNED_BYTES)),
  )
  parentPort?.postMessage({ id, addresses } satisfies RecoverAnswer)
})

/** Returns the signer of a hash and a signature. An invalid signature has none, and the execution of its block refuses it. */
function signerOf(signed: Uint8Array): string | undefined {
  try {
    return addressOf(secp256k1().recover(signed.subarray(0, HASH_BYTES), signed.subarray(HASH_BYTES)))
  } catch (error) {
    if (error instanceof Invalid) return undefined
    throw error
  }
}
