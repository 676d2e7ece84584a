import { create, type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf"
import { ProtobufReader, Wire } from "../lib/protobufReader.js"
import { p2pError } from "./errors.js"

/**
 * The maximum number of values in the lists of a message: as many as IDs fit into the largest message of a peer. Each takes time and memory,
 * also if it is empty.
 */
const MAX_VALUES = 65_536

/** A message while it is read: its fields by their names. */
type Fields = Record<string, unknown>

/**
 * Decodes a protobuf message of a peer. A known field with another wire type counts as unknown, as in Go. Bytes in the message are not
 * copied. Throws `p2p.bad_message` and `p2p.too_many_values`.
 */
export function decodeProtobuf<Schema extends DescMessage>(schema: Schema, bytes: Uint8Array): MessageShape<Schema> {
  const reader = new ProtobufReader(bytes, (offset) => p2pError("p2p.bad_message", { offset }))
  const message = create(schema)
  reader.fields(new MessageReader(reader).fieldsOf(message as Fields, schema))
  return message
}

/** Reads the values of messages by their schemas. */
class MessageReader {
  readonly #reader: ProtobufReader
  #values = 0

  constructor(reader: ProtobufReader) {
    this.#reader = reader
  }

  /** Returns the function that reads a field into a message. */
  fieldsOf(message: Fields, schema: DescMessage): (number: number, wireType: number) => boolean {
    return (number, wireType) => {
      const field = schema.fields.find((each) => each.number === number)
      return field !== undefined && this.#field(message, field, wireType)
    }
  }

  #field(message: Fields, field: DescField, wireType: number): boolean {
    const { scalar } = field
    const expected = field.message ? Wire.bytes : wireTypeOf(scalar)
    if (wireType === expected) this.#add(message, field, this.#value(message, field))
    else if (field.fieldKind !== "list" || expected !== Wire.varint || wireType !== Wire.bytes) return false
    else this.#reader.packed(() => this.#add(message, field, this.#scalar(scalar)))
    return true
  }

  #value(message: Fields, field: DescField): unknown {
    if (!field.message) return this.#scalar(field.scalar)
    const schema = field.message
    const inner = (field.fieldKind === "list" ? undefined : valueIn(message, field)) ?? create(schema)
    this.#reader.message(this.fieldsOf(inner as Fields, schema))
    return inner
  }

  #add(message: Fields, field: DescField, value: unknown): void {
    if (field.fieldKind === "list") {
      if (++this.#values > MAX_VALUES) throw p2pError("p2p.too_many_values", { limit: MAX_VALUES })
      const list = message[field.localName] as unknown[]
      list.push(value)
    } else if (field.oneof) message[field.oneof.localName] = { case: field.localName, value }
    else message[field.localName] = value
  }

  /** Reads one value; enumerations have no scalar type. */
  #scalar(type: ScalarType | undefined): unknown {
    const reader = this.#reader
    switch (type) {
      case ScalarType.BYTES:
        return reader.bytes()
      case ScalarType.STRING:
        return reader.text()
      case undefined:
        return reader.uint32() | 0
      case ScalarType.UINT32:
        return reader.uint32()
      case ScalarType.SINT32: {
        const low = reader.uint32()
        return (low >>> 1) ^ -(low & 1)
      }
      case ScalarType.UINT64:
        return reader.uint64()
      case ScalarType.BOOL:
        return reader.bool()
      default:
        throw new Error(`no message of a peer has a field of the type ${ScalarType[type]}`)
    }
  }
}

function wireTypeOf(scalar: ScalarType | undefined): number {
  return scalar === ScalarType.BYTES || scalar === ScalarType.STRING ? Wire.bytes : Wire.varint
}

/** The message that a field has so far, to which a repetition of the field adds. */
function valueIn(message: Fields, field: DescField): unknown {
  if (!field.oneof) return message[field.localName]
  const chosen = message[field.oneof.localName] as { readonly case?: string; readonly value?: unknown }
  return chosen.case === field.localName ? chosen.value : undefined
}
