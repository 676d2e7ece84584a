import type { Invalid } from "./invalid.js"

/** The wire types of protobuf: how a value is written, whatever it means. */
export const Wire = { varint: 0, bits64: 1, bytes: 2, startGroup: 3, endGroup: 4, bits32: 5 } as const

/** Go's limit of groups in groups. */
const MAX_GROUPS = 10_001

/** Reads the value of a field, or returns false, and reads nothing, if the field is unknown: then its value is passed over. */
export type ReadField = (number: number, wireType: number) => boolean

/** Reads the fields of protobuf messages as Go does, so that AvalancheGo and Serac read the same from the same bytes. Nothing in a message may go beyond its end. */
export class ProtobufReader {
  readonly #bytes: Uint8Array
  /** Makes the refusal of malformed bytes. */
  readonly #refuse: (offset: number) => Invalid
  #at = 0
  /** The end of the innermost message. */
  #end: number
  /** The high 32 bits of the last varint. */
  #high = 0

  constructor(bytes: Uint8Array, refuse: (offset: number) => Invalid) {
    this.#bytes = bytes
    this.#refuse = refuse
    this.#end = bytes.length
  }

  /** The offset of the next byte. */
  get offset(): number {
    return this.#at
  }

  /** Reads the fields up to the end of the innermost message. */
  fields(read: ReadField): void {
    while (this.#at < this.#end) {
      const tag = this.uint32()
      const number = tag >>> 3
      if (this.#high !== 0 || number === 0) throw this.#malformed()
      if (!read(number, tag & 7)) this.#skip(number, tag & 7)
    }
  }

  /** Reads the size of a message in this one, then its fields. */
  message(read: ReadField): void {
    this.#within(this.#size(), () => this.fields(read))
  }

  /** Reads the size of a packed list, then its values. */
  packed(readValue: () => void): void {
    this.#within(this.#size(), () => {
      while (this.#at < this.#end) readValue()
    })
  }

  /** Reads bytes with their size before them. They are not copied. */
  bytes(): Uint8Array {
    const size = this.#size()
    this.#at += size
    return this.#bytes.subarray(this.#at - size, this.#at)
  }

  text(): string {
    try {
      return utf8.decode(this.bytes())
    } catch {
      throw this.#malformed()
    }
  }

  uint64(): bigint {
    const low = this.uint32()
    return (BigInt(this.#high) << 32n) | BigInt(low)
  }

  bool(): boolean {
    return this.uint32() !== 0 || this.#high !== 0
  }

  /** Reads a number of 64 bits in at most ten bytes, and returns its low 32 bits. */
  uint32(): number {
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

  /** Reads up to the end of these bytes. */
  #within(size: number, read: () => void): void {
    const end = this.#end
    this.#end = this.#at + size
    read()
    this.#end = end
  }

  /** Reads the rest of an unknown field, which may be a group with any fields in it. */
  #skip(number: number, wireType: number): void {
    const groups: number[] = []
    for (let [field, type] = [number, wireType]; ; ) {
      if (type === Wire.varint) this.uint32()
      else if (type === Wire.bits64) this.#pass(8)
      else if (type === Wire.bytes) this.#pass(this.#size())
      else if (type === Wire.bits32) this.#pass(4)
      else if (type === Wire.startGroup && groups.length < MAX_GROUPS) groups.push(field)
      else if (type !== Wire.endGroup || groups.pop() !== field) throw this.#malformed()
      if (groups.length === 0) return
      const tag = this.uint32()
      // In a group Go allows numbers of 31 bits, elsewhere of 29.
      field = (tag >>> 3) + this.#high * 2 ** 29
      type = tag & 7
      if (field === 0 || this.#high > 3) throw this.#malformed()
    }
  }

  #pass(size: number): void {
    if (size > this.#end - this.#at) throw this.#malformed()
    this.#at += size
  }

  /** Reads the size of what follows, which lies within the innermost message. */
  #size(): number {
    const size = this.uint32()
    if (this.#high !== 0 || size > this.#end - this.#at) throw this.#malformed()
    return size
  }

  #malformed(): Invalid {
    return this.#refuse(this.#at)
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
