/** Prints bytes as lowercase hex, two digits per byte, without a prefix. */
export function toHex(bytes: Uint8Array): string {
  return bufferOf(bytes).toString("hex")
}

/** Reads hex; `undefined` if the text is not hex (odd length, a foreign character). */
export function fromHex(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length >> 1)
  return text.length % 2 === 0 && writeHex(text, bytes, 0) ? bytes : undefined
}

/** Reads hex that is known to be well formed. */
export function hexToBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1)
  writeHex(text, bytes, 0)
  return bytes
}

/** The values of hex digits by their character codes; `NO_DIGIT` for all others. */
const NO_DIGIT = 0x100
const DIGITS = new Uint16Array(256).fill(NO_DIGIT)
for (let i = 0; i < 16; i++) for (const digit of [i.toString(16), i.toString(16).toUpperCase()]) DIGITS[digit.charCodeAt(0)] = i

/** Writes the bytes of hex of even length into an array from an offset on. Returns false if a character is no digit. */
export function writeHex(text: string, bytes: Uint8Array, offset: number): boolean {
  let all = 0
  for (let i = 0; i < text.length; i += 2) {
    const high = text.charCodeAt(i)
    const low = text.charCodeAt(i + 1)
    // A character beyond the table counts as one that is no digit.
    const pair = ((DIGITS[high & 0xff] as number) << 4) | (DIGITS[low & 0xff] as number) | ((high | low) & 0xff00)
    all |= pair
    bytes[offset + (i >> 1)] = pair
  }
  return all <= 0xff
}

/** Returns the same bytes as a `Buffer`. An array of LMDB is larger than its `length`. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
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
  return bufferOf(bytes).toString("latin1")
}

/** Converts text to UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
