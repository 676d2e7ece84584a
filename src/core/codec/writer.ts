import { Buffer } from "node:buffer"

/** The values of hex digits by their character codes; `NO_DIGIT` for all others. */
const NO_DIGIT = 0x100
const DIGITS = new Uint16Array(256).fill(NO_DIGIT)
for (let i = 0; i < 16; i++) for (const digit of [i.toString(16), i.toString(16).toUpperCase()]) DIGITS[digit.charCodeAt(0)] = i

/** The size up to which a loop is faster than a call out of JavaScript, bytes. */
const SHORT_HEX = 64

/** Eight bytes that divide a 64-bit integer into two numbers. A Buffer takes several times as long to write it. */
const HALVES = new DataView(new ArrayBuffer(8))

/** Collects bytes in a buffer that grows as needed. */
export class Writer {
  #bytes: Buffer
  #size = 0

  // Most transactions and blocks have less than 512 bytes. With twice the capacity, a block of 46 bytes takes a tenth more time.
  constructor(capacity = 512) {
    this.#bytes = Buffer.allocUnsafe(capacity)
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
    HALVES.setBigUint64(0, value)
    this.#putHalves()
  }

  i64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange(value)
    HALVES.setBigInt64(0, value)
    this.#putHalves()
  }

  #putHalves(): void {
    const at = this.#room(8)
    this.#putU32(at, HALVES.getUint32(0))
    this.#putU32(at + 4, HALVES.getUint32(4))
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
    if (
      text.length !== size * 2 ||
      !(size <= SHORT_HEX ? this.#putHex(text, at) : this.#bytes.write(text, at, size, "hex") === size)
    ) {
      throw new Error(`not ${size} bytes of hex: ${text}`)
    }
  }

  /** Puts short hex at an offset. Returns false if a character is no digit. */
  #putHex(text: string, at: number): boolean {
    const bytes = this.#bytes
    let all = 0
    for (let i = 0; i < text.length; i += 2) {
      const high = text.charCodeAt(i)
      const low = text.charCodeAt(i + 1)
      // A character beyond the table counts as one that is no digit.
      const pair = ((DIGITS[high & 0xff] as number) << 4) | (DIGITS[low & 0xff] as number) | ((high | low) & 0xff00)
      all |= pair
      bytes[at + (i >> 1)] = pair
    }
    return all <= 0xff
  }

  /** Writes text of which each character is one byte. */
  latin1(text: string): void {
    const at = this.#room(text.length)
    this.#bytes.write(text, at, "latin1")
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
    const out = new Uint8Array(this.#size)
    this.#bytes.copy(out, 0, 0, this.#size)
    return out
  }

  #room(size: number): number {
    const at = this.#size
    const end = at + size
    if (end > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(end, this.#bytes.length * 2))
      this.#bytes.copy(grown, 0, 0, at)
      this.#bytes = grown
    }
    this.#size = end
    return at
  }
}

const outOfRange = (value: number | bigint): RangeError => new RangeError(`${value} is out of the range of its field`)
