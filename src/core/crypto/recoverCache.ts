import { toHex } from "../lib/bytes.js"
import { LruCache } from "../lib/lruCache.js"
import { addressOf, type Secp256k1 } from "./secp256k1.js"

/** Recovers signers and remembers them: five inputs of one owner carry the same signature five times. */
export interface RecoverCache {
  /** The compressed public key that signed, 33 bytes; refuses as `Secp256k1.recover` does. The bytes are shared: do not write. */
  recover(hash: Uint8Array, signature: Uint8Array): Uint8Array
  /** The address that signed, in hex; refuses as `Secp256k1.recover` does. */
  signer(hash: Uint8Array, signature: Uint8Array): string
  /** Remembers the compressed public key that was recovered elsewhere, in another thread of this process. */
  remember(hash: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): void
}

/** A cache for so many signatures over a back end, which is asked for at the first use. Refusals are not remembered. */
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
