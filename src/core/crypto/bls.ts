import { toHex } from "../lib/bytes.js"
import { LruCache } from "../lib/lruCache.js"

/**
 * BLS12-381 with keys in G1 and signatures in G2, for the keys of validators and the signatures of Warp messages. Secrets have 32 bytes
 * big-endian, public keys 48 compressed or 96 uncompressed, signatures 96 compressed. Every point that is read from bytes is checked to be
 * on the curve and in the subgroup.
 */
export interface Bls {
  /** Name of the back end. */
  readonly name: string
  /** Returns the compressed public key. Refuses a bad secret. */
  publicKey(secret: Uint8Array): Uint8Array
  /** Signs a message under the tag of Warp messages. Refuses a bad secret. */
  sign(secret: Uint8Array, message: Uint8Array): Uint8Array
  /** Signs the secret's own compressed public key under the tag of proofs of possession. Refuses a bad secret. */
  signPossession(secret: Uint8Array): Uint8Array
  /** Signs any message under the tag of proofs of possession, as nodes sign their addresses. Refuses a bad secret. */
  signUnderPossessionTag(secret: Uint8Array, message: Uint8Array): Uint8Array
  /** Verifies a signature of `signUnderPossessionTag` with a compressed key. Returns false for bytes that are not a key or signature. */
  verifyUnderPossessionTag(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
  /** Verifies a signature of the message with a compressed key. Returns false for bytes that are not a key or signature. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
  /** Verifies a proof of possession. Refuses a bad compressed key, a bad signature, and a wrong proof, in this order. */
  verifyPossession(publicKey: Uint8Array, signature: Uint8Array): void
  /** Returns whether all these proofs of possession hold. It takes less time than one after the other. */
  arePossessions(proofs: readonly PossessionProof[]): boolean
  /** Aggregates signatures into one. Refuses a bad signature, and an empty list. */
  aggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array
  /**
   * Verifies a signature of all these keys together over one message. Keys are uncompressed and taken from the state, so only their sum is
   * checked for the subgroup. Refuses a bad signature first, then a missing or bad key.
   */
  verifyAggregate(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean
  /**
   * Returns the uncompressed form of a compressed key. Refuses bytes that are not a point, the neutral point, and a point outside the
   * subgroup.
   */
  decompressKey(publicKey: Uint8Array): Uint8Array
  /** Returns the compressed form of an uncompressed key. */
  compressKey(publicKey: Uint8Array): Uint8Array
  /** Refuses bytes that are not a point of the subgroup. The neutral point is allowed, as in AvalancheGo. */
  checkSignature(signature: Uint8Array): void
  /** Loads the fast verification of proofs of possession. Until it resolves, a slower one is used. */
  preparePossession(): Promise<void>
}

/** A compressed key, and the proof that its owner has the secret. */
export interface PossessionProof {
  readonly publicKey: Uint8Array
  readonly proofOfPossession: Uint8Array
}

/** The tag under which messages are signed. */
export const SIGNATURE_TAG = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"

/** The tag under which a key signs itself. */
export const POSSESSION_TAG = "BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"

/**
 * Returns the verification of proofs of possession by a back end, which is loaded at the first use. Valid proofs are cached, up to this many,
 * because a transaction is verified several times.
 */
export function possessionCache(bls: () => Bls, entries: number): Bls["verifyPossession"] {
  const verified = new LruCache<true>(entries)
  return (publicKey, signature) => {
    const key = `${toHex(publicKey)}.${toHex(signature)}`
    if (verified.get(key)) return
    bls().verifyPossession(publicKey, signature)
    verified.set(key, true)
  }
}
