import { type Bls, POSSESSION_TAG, SIGNATURE_TAG } from "../core/crypto/bls.js"
import { type BlsLibrary, blsOver, type Possession } from "../core/crypto/blsLibrary.js"
import type { PointProblem } from "../core/crypto/errors.js"
import { load } from "./load.js"

type Curve = typeof import("@noble/curves/bls12-381.js")["bls12_381"]
type Key = InstanceType<Curve["G1"]["Point"]>
type Signature = InstanceType<Curve["G2"]["Point"]>

/** Loads BLS in plain JavaScript, which runs anywhere. Tests compare the other back ends with it. */
export function loadBlsNoble(): Bls {
  const curve = nobleBls()
  return blsOver(nobleLibrary(curve), { now: () => noblePossession(curve) })
}

/** Returns Noble's curve, loaded at this call. */
export function nobleBls(): Curve {
  return load<typeof import("@noble/curves/bls12-381.js")>("@noble/curves/bls12-381.js").bls12_381
}

/** Proofs of possession in plain JavaScript. */
export function noblePossession(curve: Curve): Possession {
  const { longSignatures, G1, G2 } = curve
  return {
    sign: (secret, message) => longSignatures.sign(longSignatures.hash(message, POSSESSION_TAG), secret).toBytes(),
    verify: (signed) =>
      signed.every(({ publicKey, message, signature }) =>
        verify(curve, G1.Point.fromBytes(publicKey), message, G2.Point.fromBytes(signature), POSSESSION_TAG),
      ),
  }
}

function nobleLibrary(curve: Curve): BlsLibrary<Key, Signature> {
  const { longSignatures, G1, G2 } = curve
  const readKey = (bytes: Uint8Array): Key | PointProblem => {
    const key = orProblem(() => G1.Point.fromBytes(bytes))
    return typeof key !== "string" && key.is0() ? "infinity" : key
  }
  return {
    name: "noble",
    publicKey: (secret) => longSignatures.getPublicKey(secret).toBytes(),
    sign: (secret, message) => longSignatures.sign(longSignatures.hash(message, SIGNATURE_TAG), secret).toBytes(),
    readKey,
    readSignature: (bytes) => orProblem(() => G2.Point.fromBytes(bytes)),
    sumKeys(keys) {
      let sum = G1.Point.ZERO
      for (const bytes of keys) {
        const key = readKey(bytes)
        if (typeof key === "string") return key
        sum = sum.add(key)
      }
      return sum.is0() ? "infinity" : sum
    },
    sumSignatures: (signatures) => signatures.reduce((sum, signature) => sum.add(signature), G2.Point.ZERO).toBytes(),
    uncompressed: (key) => key.toBytes(false),
    verify: (key, message, signature) => verify(curve, key, message, signature, SIGNATURE_TAG),
  }
}

function verify({ longSignatures }: Curve, key: Key, message: Uint8Array, signature: Signature, tag: string): boolean {
  // Noble does not pair the neutral point. As a signature it never matches a key that is not neutral.
  return !signature.is0() && longSignatures.verify(signature, longSignatures.hash(message, tag), key)
}

function orProblem<Point>(read: () => Point): Point | PointProblem {
  try {
    return read()
  } catch (error) {
    // Noble distinguishes the two only by its message. Its version is pinned, and the contract tests the message.
    return /subgroup/.test((error as Error).message) ? "group" : "encoding"
  }
}
