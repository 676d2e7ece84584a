import { writeHex } from "../lib/bytes.js"

/** Collects bytes in a buffer that grows as needed. */
export class Writer {
  #bytes: Uint8Array
  #view: DataView
  #size = 0

  // Most transactions and blocks have less than 512 bytes. With twice the capacity, a block of 46 bytes takes a tenth more time.
  constructor(capacity = 512) {
    this.#bytes = new Uint8Array(capacity)
    this.#view = new DataView(this.#bytes.buffer)
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
    this.#view.setUint16(at, value)
  }

  u32(value: number): void {
    if (value >>> 0 !== value) throw outOfRange(value)
    const at = this.#room(4)
    this.#view.setUint32(at, value)
  }

  u64(value: bigint): void {
    if (BigInt.asUintN(64, value) !== value) throw outOfRange(value)
    const at = this.#room(8)
    this.#view.setBigUint64(at, value)
  }

  i64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange(value)
    const at = this.#room(8)
    this.#view.setBigInt64(at, value)
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
      this.#view = new DataView(grown.buffer)
    }
    this.#size = end
    return at
  }
}

const outOfRange = (value: number | bigint): RangeError => new RangeError(`${value} is out of the range of its field`)
