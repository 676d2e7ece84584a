import { addressOf } from "../core/crypto/secp256k1.js"
import { valueOrUndefined } from "../core/lib/invalid.js"
import { loadSecp256k1, secp256k1 } from "../platform/backends.js"
import { HASH_BYTES, type RecoveredSigners, SIGNED_BYTES } from "./signaturePool.js"
import { answerRequests } from "./thread.js"

// The program of a thread that recovers the signers of transactions. An invalid signature has none, and the execution of its block refuses it.
answerRequests<Uint8Array, RecoveredSigners>(async (signed) => {
  await loadSecp256k1()
  return Array.from({ length: signed.length / SIGNED_BYTES }, (_, i) => {
    const at = i * SIGNED_BYTES
    const [hash, signature] = [signed.subarray(at, at + HASH_BYTES), signed.subarray(at + HASH_BYTES, at + SIGNED_BYTES)]
    return valueOrUndefined(() => addressOf(secp256k1().recover(hash, signature)))
  })
})
