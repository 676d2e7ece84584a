import { concatBytes, hexToBytes, toHex } from "../../lib/bytes.js"
import { ProtobufReader, Wire } from "../../lib/protobufReader.js"
import { typeError } from "../errors.js"
import { type ID, ID_SIZE } from "../id.js"

/**
 * The proof that a validator is not registered (any longer): its position in a conversion, or the registration message. It is a protobuf
 * message with one of two fields.
 */
export type Justification =
  | { readonly kind: "conversion"; readonly subnetID: ID; readonly index: number }
  | { readonly kind: "registration"; readonly message: Uint8Array }

/** The numbers of the fields: of a justification, and of the position in a conversion. */
const [CONVERSION, REGISTRATION] = [1, 2]
const [SUBNET_ID, INDEX] = [1, 2]

/** Reads a justification. Throws `types.bad_justification`, `types.empty_justification` and `types.justification_subnet`. */
export function decodeJustification(raw: Uint8Array): Justification {
  const reader = new ProtobufReader(raw, (offset) => typeError("types.bad_justification", { reason: "malformed", offset }))
  let message: Uint8Array | undefined
  let position: { subnetID: Uint8Array; index: number } | undefined
  reader.fields((number, wireType) => {
    if (wireType !== Wire.bytes) return false
    if (number === REGISTRATION) {
      message = reader.bytes()
      position = undefined
    } else if (number === CONVERSION) {
      // A position that comes again adds to the one before.
      position ??= { subnetID: new Uint8Array(), index: 0 }
      message = undefined
      readPosition(reader, position)
    } else return false
    return true
  })
  if (message) return { kind: "registration", message }
  if (!position) throw typeError("types.empty_justification")
  const { subnetID, index } = position
  if (subnetID.length !== ID_SIZE) throw typeError("types.justification_subnet", { size: subnetID.length })
  return { kind: "conversion", subnetID: toHex(subnetID) as ID, index }
}

function readPosition(reader: ProtobufReader, position: { subnetID: Uint8Array; index: number }): void {
  reader.message((number, wireType) => {
    if (number === SUBNET_ID && wireType === Wire.bytes) position.subnetID = reader.bytes()
    else if (number === INDEX && wireType === Wire.varint) position.index = reader.uint32()
    else return false
    return true
  })
}

/** Writes a justification as the bytes of a signature request (ACP-118). A field with the value that it has without being written is left out. */
export function encodeJustification(value: Justification): Uint8Array {
  if (value.kind === "registration") return bytesField(REGISTRATION, value.message)
  const index = value.index === 0 ? [] : [(INDEX << 3) | Wire.varint, ...varint(value.index)]
  return bytesField(CONVERSION, concatBytes(bytesField(SUBNET_ID, hexToBytes(value.subnetID)), Uint8Array.from(index)))
}

function bytesField(number: number, bytes: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of((number << 3) | Wire.bytes, ...varint(bytes.length)), bytes)
}

/** Writes a number of 32 bits, seven of them in each byte, the lowest first. */
function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))]
}
