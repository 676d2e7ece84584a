import { create, type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf"
import { WireType } from "@bufbuild/protobuf/wire"
import type { Invalid } from "../lib/invalid.js"

/**
 * The maximum number of values in the lists of a message: as many as IDs fit into the largest message of a peer. Each takes time and memory,
 * also if it is empty.
 */
export const MAX_PROTOBUF_VALUES = 65_536

/** Go's limit of groups in groups. */
const MAX_GROUPS = 10_001

/** Makes the refusal of bytes. */
export type RefuseProtobuf = (problem: "malformed" | "too many values", offset: number) => Invalid

/** A message while it is read: its fields by their names. */
type Fields = Record<string, unknown>

/**
 * Reads a protobuf message as Go does, so that AvalancheGo and Serac read the same from the same bytes: a known field with another wire type counts
 * as unknown, and nothing in a message may go beyond its end. Bytes in it are not copied. Throws what `refuse` makes.
 */
export function readProtobuf<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
  refuse: RefuseProtobuf,
): MessageShape<Schema> {
  const message = create(schema)
  new ProtobufReader(bytes, refuse).read(message as Fields, schema)
  return message
}

class ProtobufReader {
  readonly #bytes: Uint8Array
  readonly #refuse: RefuseProtobuf
  #at = 0
  /** The end of the innermost message. */
  #end: number
  /** The high 32 bits of the last varint. */
  #high = 0
  #values = 0

  constructor(bytes: Uint8Array, refuse: RefuseProtobuf) {
    this.#bytes = bytes
    this.#refuse = refuse
    this.#end = bytes.length
  }

  /** Reads fields up to the end of the innermost message. */
  read(message: Fields, schema: DescMessage): void {
    while (this.#at < this.#end) {
      const tag = this.#varint()
      const number = tag >>> 3
      if (this.#high !== 0 || number === 0) throw this.#malformed()
      const field = schema.fields.find((each) => each.number === number)
      if (!field || !this.#field(message, field, tag & 7)) this.#skip(number, tag & 7)
    }
  }

  /** Reads the value of a known field. Returns false, and reads nothing, if its wire type is not that of the field. */
  #field(message: Fields, field: DescField, wireType: WireType): boolean {
    const { scalar } = field
    const isList = field.fieldKind === "list"
    const expected = field.message ? WireType.LengthDelimited : wireTypeOf(scalar)
    if (wireType === expected) this.#add(message, field, this.#value(message, field))
    else if (!isList || expected !== WireType.Varint || wireType !== WireType.LengthDelimited) return false
    else {
      this.#within(this.#size(), () => this.#add(message, field, this.#scalar(scalar)))
    }
    return true
  }

  #value(message: Fields, field: DescField): unknown {
    if (!field.message) return this.#scalar(field.scalar)
    const schema = field.message
    const inner = (field.fieldKind === "list" ? undefined : valueIn(message, field)) ?? create(schema)
    this.#within(this.#size(), () => this.read(inner as Fields, schema))
    return inner
  }

  #add(message: Fields, field: DescField, value: unknown): void {
    if (field.fieldKind === "list") {
      if (++this.#values > MAX_PROTOBUF_VALUES) throw this.#refuse("too many values", this.#at)
      const list = message[field.localName] as unknown[]
      list.push(value)
    } else if (field.oneof) message[field.oneof.localName] = { case: field.localName, value }
    else message[field.localName] = value
  }

  /** Reads values until these bytes are read. */
  #within(size: number, read: () => void): void {
    const end = this.#end
    this.#end = this.#at + size
    while (this.#at < this.#end) read()
    this.#end = end
  }

  /** Reads one value; enumerations have no scalar type. */
  #scalar(type: ScalarType | undefined): unknown {
    if (type === ScalarType.BYTES) return this.#slice(this.#size())
    if (type === ScalarType.STRING) return this.#text(this.#slice(this.#size()))
    const low = this.#varint()
    switch (type) {
      case undefined:
        return low | 0
      case ScalarType.UINT32:
        return low
      case ScalarType.SINT32:
        return (low >>> 1) ^ -(low & 1)
      case ScalarType.UINT64:
        return (BigInt(this.#high) << 32n) | BigInt(low)
      case ScalarType.BOOL:
        return low !== 0 || this.#high !== 0
      default:
        throw new Error(`no message of a peer has a field of the type ${ScalarType[type]}`)
    }
  }

  /** Reads the rest of an unknown field, which may be a group with any fields in it. */
  #skip(number: number, wireType: WireType): void {
    const groups: number[] = []
    for (let [field, type] = [number, wireType]; ; ) {
      if (type === WireType.Varint) this.#varint()
      else if (type === WireType.Bit64) this.#pass(8)
      else if (type === WireType.LengthDelimited) this.#pass(this.#size())
      else if (type === WireType.Bit32) this.#pass(4)
      else if (type === WireType.StartGroup && groups.length < MAX_GROUPS) groups.push(field)
      else if (type !== WireType.EndGroup || groups.pop() !== field) throw this.#malformed()
      if (groups.length === 0) return
      const tag = this.#varint()
      // In a group Go allows numbers of 31 bits, elsewhere of 29.
      field = (tag >>> 3) + this.#high * 2 ** 29
      type = tag & 7
      if (field === 0 || this.#high > 3) throw this.#malformed()
    }
  }

  #slice(size: number): Uint8Array {
    const start = this.#at
    this.#pass(size)
    return this.#bytes.subarray(start, this.#at)
  }

  #pass(size: number): void {
    if (size > this.#end - this.#at) throw this.#malformed()
    this.#at += size
  }

  /** Reads the size of what follows, which lies within the innermost message. */
  #size(): number {
    const size = this.#varint()
    if (this.#high !== 0 || size > this.#end - this.#at) throw this.#malformed()
    return size
  }

  #text(bytes: Uint8Array): string {
    try {
      return utf8Decoder.decode(bytes)
    } catch {
      throw this.#malformed()
    }
  }

  /** Reads a number of 64 bits in at most ten bytes. Returns its low 32 bits. */
  #varint(): number {
    let low = 0
    let high = 0
    for (let shift = 0; shift < 70; shift += 7) {
      if (this.#at >= this.#end) throw this.#malformed()
      const byte = this.#bytes[this.#at++] as number
      const bits = byte & 0x7f
      if (shift < 32) low |= bits << shift
      if (shift > 28) high |= bits << (shift - 32)
      else if (shift === 28) high = bits >> 4
      if (byte >= 0x80) continue
      // The tenth byte has the last of the 64 bits.
      if (shift === 63 && byte > 1) break
      this.#high = high >>> 0
      return low >>> 0
    }
    throw this.#malformed()
  }

  #malformed(): Invalid {
    return this.#refuse("malformed", this.#at)
  }
}

const utf8Decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

function wireTypeOf(scalar: ScalarType | undefined): WireType {
  return scalar === ScalarType.BYTES || scalar === ScalarType.STRING ? WireType.LengthDelimited : WireType.Varint
}

/** The message that a field has so far, to which a repetition of the field adds. */
function valueIn(message: Fields, field: DescField): unknown {
  if (!field.oneof) return message[field.localName]
  const chosen = message[field.oneof.localName] as { readonly case?: string; readonly value?: unknown }
  return chosen.case === field.localName ? chosen.value : undefined
}
