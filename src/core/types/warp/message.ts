import { decode, encode, versioned } from "../../codec/decode.js"
import { oneOf, variant } from "../../codec/oneOf.js"
import { bytes, u32 } from "../../codec/primitives.js"
import type { TypeOf } from "../../codec/schema.js"
import { struct } from "../../codec/struct.js"
import { type ID, id, idOf } from "../id.js"
import { blsSignature } from "../signer.js"

const message = { networkID: u32, sourceChainID: id, payload: bytes }

/** The part of a Warp message that validators sign: a payload and its source. */
export const unsignedMessage = versioned(struct(message))
/** A Warp message as validators sign it. */
export type UnsignedMessage = TypeOf<typeof unsignedMessage>

/** The signers, as a bit set over the canonical validator set, and their aggregated signature. */
const bitSetSignature = variant("BitSetSignature", 0, { signers: bytes, signature: blsSignature })

/** A message and its signature. Its bytes start with those of the unsigned message. */
export const signedMessage = versioned(
  struct({
    ...message,
    signature: oneOf({ interface: "warp.Signature", registered: { 0: "*warp.BitSetSignature" } }, bitSetSignature),
  }),
)
/** A Warp message with the signature of validators. */
export type SignedMessage = TypeOf<typeof signedMessage>

/** Decodes a signed message. Throws `codec.*`. */
export function decodeSignedMessage(raw: Uint8Array): SignedMessage {
  return decode(signedMessage, raw)
}

/** Returns the bytes that the signature of a message covers, including the codec version. */
export function unsignedMessageBytes(value: UnsignedMessage): Uint8Array {
  return encode(unsignedMessage, value)
}

/** Returns the ID of a Warp message: the hash of its unsigned bytes. */
export function messageIDOf(value: UnsignedMessage): ID {
  return idOf(unsignedMessageBytes(value))
}
