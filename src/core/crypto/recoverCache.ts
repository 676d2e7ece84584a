import { toHex } from "../lib/bytes.js"
import { LruCache } from "../lib/lruCache.js"
import { addressOf, type Secp256k1 } from "./secp256k1.js"

/** Recovers signers and caches them, because five inputs of one owner have the same signature five times. */
export interface RecoverCache {
  /**
   * Returns the compressed public key of the signer, 33 bytes. Refuses as `Secp256k1.recover` does. The bytes are shared and must not be
   * changed.
   */
  recover(hash: Uint8Array, signature: Uint8Array): Uint8Array
  /** Returns the address of the signer, in hex. Refuses as `Secp256k1.recover` does. */
  signer(hash: Uint8Array, signature: Uint8Array): string
  /** Caches a compressed public key that was recovered in another thread of this process. */
  remember(hash: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): void
}

/** Makes a cache for this many signatures over a back end, which is loaded at the first use. Refusals are not cached. */
export function recoverCache(secp256k1: () => Secp256k1, entries: number): RecoverCache {
  const signers = new LruCache<{ readonly publicKey: Uint8Array; readonly address: string }>(entries)
  const find = (hash: Uint8Array, signature: Uint8Array) => {
    const key = keyOf(hash, signature)
    const known = signers.get(key)
    if (known) return known
    const publicKey = secp256k1().recover(hash, signature)
    const signer = { publicKey, address: addressOf(publicKey) }
    signers.set(key, signer)
    return signer
  }
  return {
    recover: (hash, signature) => find(hash, signature).publicKey,
    signer: (hash, signature) => find(hash, signature).address,
    remember: (hash, signature, publicKey) => signers.set(keyOf(hash, signature), { publicKey, address: addressOf(publicKey) }),
  }
}

const keyOf = (hash: Uint8Array, signature: Uint8Array) => `${toHex(hash)}.${toHex(signature)}`
