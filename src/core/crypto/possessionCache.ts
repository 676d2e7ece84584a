import { toHex } from "../lib/bytes.js"
import { LruCache } from "../lib/lruCache.js"
import type { Bls } from "./bls.js"

/** Verifies proofs of possession and caches valid ones, because a transaction is verified several times. */
export interface PossessionCache {
  /** Verifies a proof. Refuses as `Bls.verifyPossession` does. */
  verifyPossession(publicKey: Uint8Array, signature: Uint8Array): void
}

/** Makes a cache for this many proofs over a back end, which is loaded at the first use. Refusals are not cached. */
export function possessionCache(bls: () => Bls, entries: number): PossessionCache {
  const verified = new LruCache<true>(entries)
  return {
    verifyPossession(publicKey, signature) {
      const key = `${toHex(publicKey)}.${toHex(signature)}`
      if (verified.get(key)) return
      bls().verifyPossession(publicKey, signature)
      verified.set(key, true)
    },
  }
}
