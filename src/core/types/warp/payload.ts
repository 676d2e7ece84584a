import { decode, encode, versioned } from "../../codec/decode.js"
import { oneOf, variant } from "../../codec/oneOf.js"
import { bytes } from "../../codec/primitives.js"
import type { TypeOf } from "../../codec/schema.js"
import { typeError } from "../errors.js"
import { id } from "../id.js"

/** The maximum size of a payload, bytes. */
export const MAX_PAYLOAD_SIZE = 24 * 1024

const hashPayload = variant("Hash", 0, { hash: id })
const addressedCall = variant("AddressedCall", 1, { sourceAddress: bytes, payload: bytes })

export const payload = versioned(
  oneOf(
    { interface: "payload.Payload", registered: { 0: "*payload.Hash", 1: "*payload.AddressedCall" } },
    hashPayload,
    addressedCall,
  ),
)
/** The payload of a Warp message: a block hash or an addressed call. */
export type Payload = TypeOf<typeof payload>

/** Decodes a payload. Throws `codec.*`, or `types.payload_too_large` above 24 KiB. */
export function decodePayload(raw: Uint8Array): Payload {
  if (raw.length > MAX_PAYLOAD_SIZE) throw typeError("types.payload_too_large", { size: raw.length, limit: MAX_PAYLOAD_SIZE })
  return decode(payload, raw)
}

/** Writes the payload of a Warp message as bytes. */
export function encodePayload(value: Payload): Uint8Array {
  return encode(payload, value)
}
