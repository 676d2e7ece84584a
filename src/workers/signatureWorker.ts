import { addressOf } from "../core/crypto/secp256k1.js"
import { valueOrUndefined } from "../core/lib/invalid.js"
import { loadSecp256k1, secp256k1 } from "../platform/backends.js"
import type { RecoveredSigners, SignedPair } from "./signaturePool.js"
import { answerRequests } from "./thread.js"

// The program of a thread that recovers the signers of transactions. An invalid signature has none, and the execution of its block refuses it.
answerRequests<readonly SignedPair[], RecoveredSigners>(async (pairs) => {
  await loadSecp256k1()
  return pairs.map(({ hash, signature }) => valueOrUndefined(() => addressOf(secp256k1().recover(hash, signature))))
})
