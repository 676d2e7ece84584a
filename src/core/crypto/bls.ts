/** A compressed key (48 bytes), and the proof that somebody owns it (96 bytes). */
export interface PossessionProof {
  readonly publicKey: Uint8Array
  readonly proofOfPossession: Uint8Array
}

/**
 * BLS12-381 with keys in G1 and signatures in G2: the keys of validators, the signatures of warp messages.
 * Secrets have 32 bytes big-endian, public keys 48 compressed or 96 uncompressed, signatures 96 compressed.
 * Whatever is read from bytes is checked to lie on the curve and in the subgroup.
 */
export interface Bls {
  /** Name of the back end. */
  readonly name: string
  /** The compressed public key; refuses a bad secret. */
  publicKey(secret: Uint8Array): Uint8Array
  /** Signs a message under the tag of warp messages; refuses a bad secret. */
  sign(secret: Uint8Array, message: Uint8Array): Uint8Array
  /** Signs the secret's own compressed public key under the tag of proofs of possession; refuses a bad secret. */
  signPossession(secret: Uint8Array): Uint8Array
  /** Signs any message under the tag of proofs of possession, as nodes sign their addresses; refuses a bad secret. */
  signUnderPossessionTag(secret: Uint8Array, message: Uint8Array): Uint8Array
  /** The check of `signUnderPossessionTag` with a compressed key; false for bytes that are no key or signature. */
  verifyUnderPossessionTag(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
  /** True if the signature of the message is this compressed key's; false for bytes that are no key or signature. */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean
  /** Refuses a bad compressed key, a bad signature, and a proof that is not the key's, in this order. */
  verifyPossession(publicKey: Uint8Array, signature: Uint8Array): void
  /** Verifies many proofs of possession together, in half of the time. False if one does not hold, and if the back end cannot do it. */
  verifyPossessions(proofs: readonly PossessionProof[]): boolean
  /** Aggregates signatures into one; refuses a bad signature, and an empty list. */
  aggregateSignatures(signatures: readonly Uint8Array[]): Uint8Array
  /**
   * True if the signature is that of all these keys together over one message. Keys are uncompressed and taken
   * from the state, so only their sum is checked for the subgroup. Refuses a bad signature first, then a missing or bad key.
   */
  verifyAggregate(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean
  /** The uncompressed form of a compressed key; refuses what is no point, the neutral point, and one outside the subgroup. */
  decompressKey(publicKey: Uint8Array): Uint8Array
  /** The compressed form of an uncompressed key. */
  compressKey(publicKey: Uint8Array): Uint8Array
  /** Refuses bytes that are no point of the subgroup. The neutral point passes, as in the reference. */
  checkSignature(signature: Uint8Array): void
  /** Brings in the fast checker of proofs of possession; until it resolves, a slower one answers. */
  preparePossession(): Promise<void>
}

/** The tag under which messages are signed. */
export const SIGNATURE_TAG = "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"

/** The tag under which a key signs itself. */
export const POSSESSION_TAG = "BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_"
