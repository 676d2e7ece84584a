import { hexToBytes, isZero, toHex } from "../lib/bytes.js"
import { LruCache } from "../lib/lruCache.js"
import type { Bls } from "./bls.js"
import { compressKey } from "./compressKey.js"
import { cryptoError, type PointProblem } from "./errors.js"
import { isSecret } from "./scalar.js"

/** Functions of a BLS library. The refusals are the same for all libraries and are written once, in the code that calls these functions. */
export interface BlsLibrary<Key extends object, Signature extends object> {
  readonly name: string
  publicKey(secret: Uint8Array): Uint8Array
  sign(secret: Uint8Array, message: Uint8Array): Uint8Array
  /** Reads a key from 48 bytes, in the subgroup and not neutral, or returns the problem. */
  readKey(bytes: Uint8Array): Key | PointProblem
  /** Reads a signature from 96 bytes, in the subgroup, or returns the problem. */
  readSignature(bytes: Uint8Array): Signature | PointProblem
  /** Returns the sum of keys of 96 bytes each, or the problem of one of them or of the sum. */
  sumKeys(keys: readonly Uint8Array[]): Key | PointProblem
  sumSignatures(signatures: readonly Signature[]): Uint8Array
  uncompressed(key: Key): Uint8Array
  verify(key: Key, message: Uint8Array, signature: Signature): boolean
}

/** A message that was signed. The other bytes have been checked to be a key and a signature. */
export interface SignedMessage {
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** Signatures under the tag of proofs of possession. */
export interface Possession {
  sign(secret: Uint8Array, message: Uint8Array): Uint8Array
  /** Returns whether all signatures hold. */
  verify(signed: readonly SignedMessage[]): boolean
}

/** Source of the checker of proofs of possession: one that is ready at once, and optionally a faster one that takes time to load. */
export interface PossessionSource {
  readonly now: () => Possession
  readonly faster?: () => Promise<Possession>
}

const ORDER = hexToBytes("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001")

/**
 * Number of decompressed keys that are cached. A genesis is read, and then its validators are put into the state. Each key takes 0.3 ms.
 */
const DECOMPRESSED_KEYS = 4096

export function blsOver<Key extends object, Signature extends object>(
  library: BlsLibrary<Key, Signature>,
  source: PossessionSource,
): Bls {
  const requireKey = (bytes: Uint8Array): Key => {
    const key = readKey(library, bytes)
    if (typeof key === "string") throw cryptoError("crypto.bls_bad_public_key", { problem: key })
    return key
  }
  const requireSignature = (bytes: Uint8Array): Signature => {
    const signature = readSignature(library, bytes)
    if (typeof signature === "string") throw cryptoError("crypto.bls_bad_signature", { problem: signature })
    return signature
  }
  const isReadable = ({ publicKey, signature }: SignedMessage): boolean =>
    typeof readKey(library, publicKey) !== "string" && typeof readSignature(library, signature) !== "string"
  const possession = possessionFrom(source)
  return {
    name: library.name,
    publicKey: (secret) => library.publicKey(checked(secret)),
    sign: (secret, message) => library.sign(checked(secret), message),
    signPossession: (secret) => possession.current().sign(secret, library.publicKey(checked(secret))),
    signUnderPossessionTag: (secret, message) => possession.current().sign(checked(secret), message),
    verifyUnderPossessionTag(publicKey, message, signature) {
      const signed = { publicKey, message, signature }
      return isReadable(signed) && possession.current().verify([signed])
    },
    verify(publicKey, message, signature) {
      const key = readKey(library, publicKey)
      const parsed = readSignature(library, signature)
      return typeof key !== "string" && typeof parsed !== "string" && library.verify(key, message, parsed)
    },
    verifyPossession(publicKey, signature) {
      requireKey(publicKey)
      requireSignature(signature)
      const isHeld = possession.current().verify([{ publicKey, message: publicKey, signature }])
      if (!isHeld) throw cryptoError("crypto.bls_bad_possession")
    },
    arePossessions(proofs) {
      const signed = proofs.map(({ publicKey, proofOfPossession: signature }) => ({ publicKey, message: publicKey, signature }))
      return signed.every(isReadable) && possession.current().verify(signed)
    },
    aggregateSignatures(signatures) {
      if (signatures.length === 0) throw cryptoError("crypto.bls_no_signatures")
      return library.sumSignatures(signatures.map(requireSignature))
    },
    verifyAggregate(publicKeys, message, signature) {
      const parsed = requireSignature(signature)
      checkUncompressed(publicKeys)
      const key = library.sumKeys(publicKeys)
      // Keys that cancel each other out sign nothing. AvalancheGo finds this when it verifies, not before.
      if (key === "infinity") return false
      if (typeof key === "string") throw cryptoError("crypto.bls_bad_public_key", { problem: key })
      return library.verify(key, message, parsed)
    },
    decompressKey: cachedDecompression((publicKey) => library.uncompressed(requireKey(publicKey))),
    compressKey,
    checkSignature: (signature) => void requireSignature(signature),
    preparePossession: possession.prepare,
  }
}

/** Decompresses keys, and caches those that were used last. */
function cachedDecompression(decompress: Bls["decompressKey"]): Bls["decompressKey"] {
  const decompressed = new LruCache<Uint8Array>(DECOMPRESSED_KEYS)
  return (publicKey) => decompressed.valueOf(toHex(publicKey), () => decompress(publicKey)).slice()
}

function possessionFrom(source: PossessionSource): { current: () => Possession; prepare: () => Promise<void> } {
  let current: Possession | undefined
  let preparing: Promise<void> | undefined
  const bringFaster = async (): Promise<void> => {
    if (source.faster) current = await source.faster()
  }
  return {
    current() {
      current ??= source.now()
      return current
    },
    prepare() {
      preparing ??= bringFaster()
      return preparing
    },
  }
}

function readKey<Key extends object>(library: Pick<BlsLibrary<Key, object>, "readKey">, bytes: Uint8Array): Key | PointProblem {
  if (bytes.length !== 48) return "encoding"
  const key = library.readKey(bytes)
  // The two points with x = 0 are on the curve and outside the subgroup. AvalancheGo's library already fails to decompress them.
  return key === "group" && (bytes[0]! & 0x1f) === 0 && isZero(bytes.subarray(1)) ? "encoding" : key
}

function readSignature<Signature extends object>(
  library: Pick<BlsLibrary<object, Signature>, "readSignature">,
  bytes: Uint8Array,
): Signature | PointProblem {
  return bytes.length === 96 ? library.readSignature(bytes) : "encoding"
}

function checked(secret: Uint8Array): Uint8Array {
  if (!isSecret(secret, ORDER)) throw cryptoError("crypto.bls_bad_secret")
  return secret
}

function checkUncompressed(publicKeys: readonly Uint8Array[]): void {
  if (publicKeys.length === 0) throw cryptoError("crypto.bls_no_public_keys")
  for (const key of publicKeys) {
    if (key.length !== 96) throw cryptoError("crypto.bls_bad_public_key", { problem: "encoding" })
    // A library would add the neutral point without an error.
    if ((key[0]! & 0x40) !== 0) throw cryptoError("crypto.bls_bad_public_key", { problem: "infinity" })
  }
}
