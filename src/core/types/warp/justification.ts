import { create, toBinary } from "@bufbuild/protobuf"
import { hexToBytes, toHex } from "../../lib/bytes.js"
import { typeError } from "../errors.js"
import { type ID, ID_SIZE } from "../id.js"
import { readProtobuf } from "../readProtobuf.js"
import { L1ValidatorRegistrationJustificationSchema as schema } from "./proto/justification_pb.js"

/**
 * The proof that a validator is not registered (any longer): its position in a conversion, or the registration message. It is a protobuf
 * message with one of two fields.
 */
export type Justification =
  | { readonly kind: "conversion"; readonly subnetID: ID; readonly index: number }
  | { readonly kind: "registration"; readonly message: Uint8Array }

/** Reads a justification. Throws `types.bad_justification`, `types.empty_justification` and `types.justification_subnet`. */
export function decodeJustification(raw: Uint8Array): Justification {
  const preimage = preimageIn(raw)
  if (preimage.case === undefined) throw typeError("types.empty_justification")
  if (preimage.case === "registerL1ValidatorMessage") return { kind: "registration", message: preimage.value }
  const { subnetId, index } = preimage.value
  if (subnetId.length !== ID_SIZE) throw typeError("types.justification_subnet", { size: subnetId.length })
  return { kind: "conversion", subnetID: toHex(subnetId) as ID, index }
}

/** Writes a justification as the bytes of a signature request (ACP-118). */
export function encodeJustification(value: Justification): Uint8Array {
  if (value.kind === "registration") {
    return toBinary(schema, create(schema, { preimage: { case: "registerL1ValidatorMessage", value: value.message } }))
  }
  const data = { subnetId: hexToBytes(value.subnetID), index: value.index }
  return toBinary(schema, create(schema, { preimage: { case: "convertSubnetToL1TxData", value: data } }))
}

function preimageIn(raw: Uint8Array) {
  const refuse = (reason: string, offset: number) => typeError("types.bad_justification", { reason, offset })
  return readProtobuf(schema, raw, refuse).preimage
}
