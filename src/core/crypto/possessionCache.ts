import { toHex } from "../lib/bytes.js"
import { LruCache } from "../lib/lruCache.js"
import type { Bls } from "./bls.js"

/** Checks proofs of possession and remembers those that hold: a transaction is verified several times on its way. */
export interface PossessionCache {
  /** Refuses as `Bls.verifyPossession` does. */
  verifyPossession(publicKey: Uint8Array, signature: Uint8Array): void
}

/** A cache for so many proofs over a back end, which is asked for at the first use. Refusals are not remembered. */
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
