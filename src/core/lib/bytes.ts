import { Buffer } from "node:buffer"

/** Methods of every `Buffer` that its types do not name. They take any array of bytes. */
interface Slices {
  hexSlice(this: Uint8Array, start: number, end: number): string
  latin1Slice(this: Uint8Array, start: number, end: number): string
}

// A short array has no memory outside the JavaScript heap. `Buffer.from(bytes.buffer)` would allocate it: 0.5 µs in place of 0.1 for an ID.
const { hexSlice, latin1Slice } = Buffer.prototype as Slices

/** Prints bytes as lowercase hex, two digits per byte, without a prefix. */
export function toHex(bytes: Uint8Array): string {
  return hexSlice.call(bytes, 0, bytes.length)
}

/** Reads hex; `undefined` if the text is not hex (odd length, a foreign character). */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined
  return hexToBytes(text)
}

const DIGITS = new Uint8Array(128)
for (let i = 0; i < 16; i++) for (const digit of [i.toString(16), i.toString(16).toUpperCase()]) DIGITS[digit.charCodeAt(0)] = i

/** The size up to which a loop is faster than a call out of JavaScript, bytes (an ID in 0.16 instead of 0.49 µs). */
const SHORT = 64

/** Reads hex that is known to be well formed. */
export function hexToBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1)
  if (bytes.length > SHORT) Buffer.from(bytes.buffer).write(text, "hex")
  else writeHex(text, bytes, 0)
  return bytes
}

/** Writes the bytes of short and well-formed hex into an array from an offset on. */
export function writeHex(text: string, bytes: Uint8Array, offset: number): void {
  for (let i = 0; 2 * i < text.length; i++) bytes[offset + i] = (digitAt(text, 2 * i) << 4) | digitAt(text, 2 * i + 1)
}

function digitAt(text: string, at: number): number {
  return DIGITS[text.charCodeAt(at)] as number
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const out = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    out.set(part, offset)
    offset += part.length
  }
  return out
}

/** Compares two byte strings as unsigned bytes: negative, zero or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b)
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0
}

export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/** Converts bytes to a text of one character for each. */
export function latin1(bytes: Uint8Array): string {
  return latin1Slice.call(bytes, 0, bytes.length)
}

/** Converts a text of one character for each byte to bytes. */
export function bytesOfLatin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "latin1"))
}

/** Prints a text of one character for each byte as hex. */
export function hexOfLatin1(text: string): string {
  return Buffer.from(text, "latin1").toString("hex")
}

/** Copies a few bytes of a text of one character for each byte into an array. */
export function fillFromLatin1(bytes: Uint8Array, at: number, text: string, from: number, size: number): void {
  for (let i = 0; i < size; i++) bytes[at + i] = text.charCodeAt(from + i)
}

/** Converts text to UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
