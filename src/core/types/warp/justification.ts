import { concatBytes, hexToBytes, toHex } from "../../lib/bytes.js"
import { typeError } from "../errors.js"
import { type ID, ID_SIZE } from "../id.js"

/**
 * Why the P-Chain should say that a validator is not (any longer) registered: its place in a conversion, or the
 * registration message. A protobuf message with one of two fields.
 */
export type Justification =
  | { readonly kind: "conversion"; readonly subnetID: ID; readonly index: number }
  | { readonly kind: "registration"; readonly message: Uint8Array }

/** Reads a justification. Throws `types.bad_justification`, `types.empty_justification` and `types.justification_subnet`. */
export function decodeJustification(raw: Uint8Array): Justification {
  const fields = protobufFields(raw)
  // Of a protobuf "oneof" the last field read counts.
  for (const { number, value } of fields.reverse()) {
    if (number === 1 && value instanceof Uint8Array) return conversionOf(value)
    if (number === 2 && value instanceof Uint8Array) return { kind: "registration", message: value }
  }
  throw typeError("types.empty_justification")
}

export function encodeJustification(value: Justification): Uint8Array {
  if (value.kind === "registration") return lengthDelimited(2, value.message)
  const index = value.index === 0 ? new Uint8Array(0) : concatBytes(Uint8Array.of(0x10), varint(value.index))
  return lengthDelimited(1, concatBytes(lengthDelimited(1, hexToBytes(value.subnetID)), index))
}

function conversionOf(raw: Uint8Array): Justification {
  let subnetID: Uint8Array = new Uint8Array(0)
  let index = 0
  for (const { number, value } of protobufFields(raw)) {
    if (number === 1 && value instanceof Uint8Array) subnetID = value
    if (number === 2 && typeof value === "bigint") index = Number(BigInt.asUintN(32, value))
  }
  if (subnetID.length !== ID_SIZE) throw typeError("types.justification_subnet", { size: subnetID.length })
  return { kind: "conversion", subnetID: toHex(subnetID) as ID, index }
}

function lengthDelimited(field: number, value: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of((field << 3) | 2), varint(value.length), value)
}

function varint(value: number): Uint8Array {
  const out: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) out.push((rest & 0x7f) | 0x80)
  out.push(rest)
  return Uint8Array.from(out)
}

interface ProtobufField {
  readonly number: number
  readonly value: bigint | Uint8Array
}

/** The fields of a protobuf message in their order. */
function protobufFields(raw: Uint8Array): ProtobufField[] {
  const fields: ProtobufField[] = []
  let at = 0
  const readVarint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = raw[at++]
      if (byte === undefined) break
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw typeError("types.bad_justification", { reason: "a number does not end", offset: at })
  }
  const take = (size: bigint): Uint8Array => {
    if (size > BigInt(raw.length - at)) throw typeError("types.bad_justification", { reason: "truncated", offset: at })
    const value = raw.slice(at, at + Number(size))
    at += Number(size)
    return value
  }
  while (at < raw.length) {
    const tag = readVarint()
    const number = Number(tag >> 3n)
    const wireType = Number(tag & 7n)
    if (number === 0) throw typeError("types.bad_justification", { reason: "field number 0", offset: at })
    if (wireType === 0) fields.push({ number, value: readVarint() })
    else if (wireType === 1) fields.push({ number, value: take(8n) })
    else if (wireType === 2) fields.push({ number, value: take(readVarint()) })
    else if (wireType === 5) fields.push({ number, value: take(4n) })
    else throw typeError("types.bad_justification", { reason: `wire type ${wireType}`, offset: at })
  }
  return fields
}
