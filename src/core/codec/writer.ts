import { writeHex } from "../lib/bytes.js"

/** Collects bytes in a buffer that grows as needed. */
export class Writer {
  #bytes: Uint8Array
  #size = 0

  // Most transactions and blocks have less than 512 bytes. With twice the capacity, a block of 46 bytes takes a tenth more time.
  constructor(capacity = 512) {
    this.#bytes = new Uint8Array(capacity)
  }

  get size(): number {
    return this.#size
  }

  u8(value: number): void {
    const at = this.#room(1)
    this.#bytes[at] = value
  }

  u16(value: number): void {
    if ((value & 0xffff) !== value) throw outOfRange(value)
    const at = this.#room(2)
    this.#bytes[at] = value >>> 8
    this.#bytes[at + 1] = value
  }

  u32(value: number): void {
    if (value >>> 0 !== value) throw outOfRange(value)
    this.#putU32(this.#room(4), value)
  }

  u64(value: bigint): void {
    if (BigInt.asUintN(64, value) !== value) throw outOfRange(value)
    this.#putU64(value)
  }

  i64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange(value)
    this.#putU64(BigInt.asUintN(64, value))
  }

  #putU64(value: bigint): void {
    const at = this.#room(8)
    this.#putU32(at, Number(value >> 32n))
    this.#putU32(at + 4, Number(BigInt.asUintN(32, value)))
  }

  #putU32(at: number, value: number): void {
    const bytes = this.#bytes
    bytes[at] = value >>> 24
    bytes[at + 1] = value >>> 16
    bytes[at + 2] = value >>> 8
    bytes[at + 3] = value
  }

  /** Writes hex of a known size as bytes. */
  hex(text: string, size: number): void {
    const at = this.#room(size)
    if (text.length !== size * 2 || !writeHex(text, this.#bytes, at)) throw new Error(`not ${size} bytes of hex: ${text}`)
  }

  /** Writes text of which each character is one byte. */
  latin1(text: string): void {
    const at = this.#room(text.length)
    for (let i = 0; i < text.length; i++) this.#bytes[at + i] = text.charCodeAt(i)
  }

  bytes(value: Uint8Array): void {
    const at = this.#room(value.length)
    this.#bytes.set(value, at)
  }

  /** Returns the written bytes without a copy. They are valid until the next write. */
  lent(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  /** Starts a new value in the same buffer. */
  clear(): void {
    this.#size = 0
  }

  /** Returns a copy of the written bytes. */
  done(): Uint8Array {
    return this.#bytes.slice(0, this.#size)
  }

  #room(size: number): number {
    const at = this.#size
    const end = at + size
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.#bytes.length * 2))
      grown.set(this.#bytes.subarray(0, at))
      this.#bytes = grown
    }
    this.#size = end
    return at
  }
}

const outOfRange = (value: number | bigint): RangeError => new RangeError(`${value} is out of the range of its field`)
