import { oneOf, variant } from "../codec/oneOf.js"
import { fixedBytes } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { struct } from "../codec/struct.js"
import { goInterface } from "./registered.js"

/** A compressed BLS public key (G1). */
export const blsPublicKey = fixedBytes(48)
/** A compressed BLS signature (G2). */
export const blsSignature = fixedBytes(96)

const possession = { publicKey: blsPublicKey, proofOfPossession: blsSignature }

/** A BLS key and the proof that its owner has the secret. Outside of a signer it has no type ID. */
export const proofOfPossession = struct(possession)
/** A BLS public key and the proof that its holder knows the secret. */
export type ProofOfPossession = TypeOf<typeof proofOfPossession>

export const emptySigner = variant("EmptySigner", 27, {})
export const possessionSigner = variant("ProofOfPossession", 28, possession)

/** The key with which a validator signs Warp messages, or none. */
export const signer = oneOf(goInterface("signer.Signer"), emptySigner, possessionSigner)
/** The BLS key with which a validator signs Warp messages, or none. */
export type Signer = TypeOf<typeof signer>
