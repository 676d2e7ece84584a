import { compareBytes, hexToBytes } from "../lib/bytes.js"
import { cryptoError } from "./errors.js"
import { hash160Hex } from "./hash.js"
import { isSecret } from "./scalar.js"

/** Recoverable ECDSA over secp256k1, the signatures of transactions. Secrets and hashes have 32 bytes. */
export interface Secp256k1 {
  /** Name of the back end. */
  readonly name: string
  /** Returns the compressed public key, 33 bytes. Refuses a bad secret. */
  publicKey(secret: Uint8Array): Uint8Array
  /** Returns r ‖ s ‖ v, 65 bytes: deterministic (RFC 6979), low s, v from 0 to 3. Refuses a bad secret. */
  sign(hash: Uint8Array, secret: Uint8Array): Uint8Array
  /** Returns the compressed public key of the signer, 33 bytes. It makes the checks of AvalancheGo in the same order. */
  recover(hash: Uint8Array, signature: Uint8Array): Uint8Array
}

/**
 * Functions of a secp256k1 library. The checks are the same for all libraries and are written once, in the code that calls these
 * functions.
 */
export interface Secp256k1Library {
  readonly name: string
  publicKey(secret: Uint8Array): Uint8Array
  /** Returns r ‖ s, and the recovery ID. */
  sign(hash: Uint8Array, secret: Uint8Array): { readonly signature: Uint8Array; readonly recoveryID: number }
  /** Returns the key; `undefined` if r or s is out of range or no point matches. The recovery ID is 0 to 3. */
  recover(hash: Uint8Array, rs: Uint8Array, recoveryID: number): Uint8Array | undefined
}

const ORDER = hexToBytes("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
const HALF_ORDER = hexToBytes("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0")

/** Returns the address of a compressed public key: RIPEMD-160 of its SHA-256, in hex. */
export function addressOf(publicKey: Uint8Array): string {
  return hash160Hex(publicKey)
}

export function secp256k1Over(library: Secp256k1Library): Secp256k1 {
  return {
    name: library.name,
    publicKey(secret) {
      checkSecret(secret)
      return library.publicKey(secret)
    },
    sign(hash, secret) {
      requireHash(hash)
      checkSecret(secret)
      const { signature, recoveryID } = library.sign(hash, secret)
      const out = new Uint8Array(65)
      out.set(signature)
      out[64] = recoveryID
      return out
    },
    recover: (hash, signature) => recover(library, hash, signature),
  }
}

function recover(library: Secp256k1Library, hash: Uint8Array, signature: Uint8Array): Uint8Array {
  requireHash(hash)
  if (signature.length !== 65) throw cryptoError("crypto.signature_length", { length: signature.length })
  const s = signature.subarray(32, 64)
  // AvalancheGo takes s modulo the order first: at or above the order it is not high but out of range, which the library detects.
  if (compareBytes(s, HALF_ORDER) > 0 && compareBytes(s, ORDER) < 0) throw cryptoError("crypto.signature_high_s")
  const recoveryByte = signature[64]!
  if (recoveryByte > 7) throw cryptoError("crypto.signature_recovery_byte", { recoveryByte })
  const key = library.recover(hash, signature.subarray(0, 64), recoveryByte & 3)
  if (key === undefined) throw cryptoError("crypto.signature_invalid")
  // The values 4 to 7 are 0 to 3 with the flag of a compressed key. AvalancheGo recovers first, then refuses the flag.
  if (recoveryByte > 3) throw cryptoError("crypto.signature_recovery_byte", { recoveryByte })
  return key
}

function checkSecret(secret: Uint8Array): void {
  if (!isSecret(secret, ORDER)) throw cryptoError("crypto.secp256k1_bad_secret")
}

function requireHash(hash: Uint8Array): void {
  if (hash.length !== 32) throw new Error(`a hash to sign has 32 bytes, not ${hash.length}`)
}
