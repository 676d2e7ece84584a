import { latin1 } from "../lib/bytes.js"
import { LruCache } from "../lib/lruCache.js"
import { addressOf, type Secp256k1 } from "./secp256k1.js"

/** Recovers signers and caches them, because five inputs of one owner have the same signature five times. */
export interface RecoverCache {
  /** Returns the address of the signer, in hex. Refuses as `Secp256k1.recover` does. */
  signer(hash: Uint8Array, signature: Uint8Array): string
  /** Caches an address that another thread of this process recovered from this hash and this signature. */
  remember(hash: Uint8Array, signature: Uint8Array, address: string): void
}

/** Makes a cache for this many signatures over a back end, which is loaded at the first use. Refusals are not cached. */
export function recoverCache(secp256k1: () => Secp256k1, entries: number): RecoverCache {
  const signers = new LruCache<string>(entries)
  return {
    signer(hash, signature) {
      const key = keyOf(hash, signature)
      const known = signers.get(key)
      if (known !== undefined) return known
      const address = addressOf(secp256k1().recover(hash, signature))
      signers.set(key, address)
      return address
    },
    remember: (hash, signature, address) => signers.set(keyOf(hash, signature), address),
  }
}

/** All bytes of both, so that no signer is found for another hash or another signature. A hash has 32 bytes. */
const keyOf = (hash: Uint8Array, signature: Uint8Array) => latin1(hash) + latin1(signature)
