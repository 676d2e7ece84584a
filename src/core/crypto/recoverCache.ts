import { latin1 } from "../lib/bytes.js"
import { LruCache } from "../lib/lruCache.js"
import { addressOf, type Secp256k1 } from "./secp256k1.js"

/** Recovers signers and caches them, because five inputs of one owner have the same signature five times. */
export interface RecoverCache {
  /**
   * Returns the address of the signer of a transaction, in hex. `hash` returns what is signed, and is called if the signer is not cached.
   * Refuses as `Secp256k1.recover` does.
   */
  signer(txID: string, signature: Uint8Array, hash: () => Uint8Array): string
  /** Caches an address that another thread of this process recovered from this signature of a transaction. */
  remember(txID: string, signature: Uint8Array, address: string): void
}

/** Makes a cache for this many signatures over a back end, which is loaded at the first use. Refusals are not cached. */
export function recoverCache(secp256k1: () => Secp256k1, entries: number): RecoverCache {
  const signers = new LruCache<string>(entries)
  return {
    signer: (txID, signature, hash) =>
      signers.valueOf(keyOf(txID, signature), () => addressOf(secp256k1().recover(hash(), signature))),
    remember: (txID, signature, address) => signers.set(keyOf(txID, signature), address),
  }
}

/** The ID of a transaction determines what its signatures sign. IDs have one length, so no signer is found for another signature. */
const keyOf = (txID: string, signature: Uint8Array) => txID + latin1(signature)
