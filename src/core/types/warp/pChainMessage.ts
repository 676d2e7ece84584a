import { decode, encode, versioned } from "../../codec/decode.js"
import { list } from "../../codec/list.js"
import { oneOf, variant } from "../../codec/oneOf.js"
import { bool, bytes, u32, u64 } from "../../codec/primitives.js"
import type { TypeOf } from "../../codec/schema.js"
import { struct } from "../../codec/struct.js"
import { type ID, id, idOf } from "../id.js"
import { pChainOwner } from "../owners.js"
import { blsPublicKey } from "../signer.js"

const subnetToL1Conversion = variant("SubnetToL1Conversion", 0, { id })

/** The request of an L1 to register a validator. The expiry is in Unix seconds. */
const registerL1Validator = variant("RegisterL1Validator", 1, {
  subnetID: id,
  nodeID: bytes,
  blsPublicKey,
  expiry: u64,
  remainingBalanceOwner: pChainOwner,
  disableOwner: pChainOwner,
  weight: u64,
})
const l1ValidatorRegistration = variant("L1ValidatorRegistration", 2, { validationID: id, registered: bool })

/** A validator's weight: as a request to the P-Chain, and as its answer. Nonce 2^64 − 1 is only for removal. */
const l1ValidatorWeight = variant("L1ValidatorWeight", 3, { validationID: id, nonce: u64, weight: u64 })

/** The messages between an L1 and the P-Chain, inside an addressed call. ACP-77. */
export const pChainMessage = versioned(
  oneOf(
    {
      interface: "message.Payload",
      registered: {
        0: "*message.SubnetToL1Conversion",
        1: "*message.RegisterL1Validator",
        2: "*message.L1ValidatorRegistration",
        3: "*message.L1ValidatorWeight",
      },
    },
    subnetToL1Conversion,
    registerL1Validator,
    l1ValidatorRegistration,
    l1ValidatorWeight,
  ),
)
/** A message between an L1 and the P-Chain (ACP-77). */
export type PChainMessage = TypeOf<typeof pChainMessage>
export type RegisterL1Validator = Extract<PChainMessage, { kind: "RegisterL1Validator" }>
export type L1ValidatorWeight = Extract<PChainMessage, { kind: "L1ValidatorWeight" }>

/** Decodes a message. Throws `codec.*`. */
export function decodePChainMessage(raw: Uint8Array): PChainMessage {
  return decode(pChainMessage, raw)
}

/** Writes a message between an L1 and the P-Chain as bytes. */
export function encodePChainMessage(value: PChainMessage): Uint8Array {
  return encode(pChainMessage, value)
}

/** Returns the ID of the validator of this registration. */
export function registrationIDOf(value: RegisterL1Validator): ID {
  return idOf(encode(pChainMessage, value))
}

export const conversionData = versioned(
  struct({
    subnetID: id,
    managerChainID: id,
    managerAddress: bytes,
    validators: list(struct({ nodeID: bytes, blsPublicKey, weight: u64 })),
  }),
)
/** The data of a conversion to an L1, whose hash is the conversion ID. */
export type ConversionData = TypeOf<typeof conversionData>

/** Returns the conversion ID of an L1: the hash of the facts of its conversion (ACP-77). */
export function conversionIDOf(value: ConversionData): ID {
  return idOf(encode(conversionData, value))
}

const initialValidation = struct({ subnetID: id, position: u32 })

/** Returns the ID of the validator at this position of a conversion's list. */
export function initialValidationIDOf(subnetID: ID, position: number): ID {
  return idOf(encode(initialValidation, { subnetID, position }))
}
