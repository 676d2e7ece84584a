/** Prints bytes as lowercase hex, two digits per byte, without a prefix. */
export function toHex(bytes: Uint8Array): string {
  return partToHex(bytes, 0, bytes.length)
}

/** Both digits of every byte, as text of two bytes in one number. */
const HEX_PAIRS = new Uint16Array(
  latin1Bytes(Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0")).join("")).buffer,
)

export function partToHex(bytes: Uint8Array, start: number, end: number): string {
  const pairs = new Uint16Array(end - start)
  for (let i = start; i < end; i++) pairs[i - start] = HEX_PAIRS[bytes[i] as number] as number
  return decoder.decode(pairs)
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

/** The values of hex digits by their character codes; `NO_DIGIT` for all other characters. */
const NO_DIGIT = 0x100
const DIGITS = new Uint16Array(0x10000).fill(NO_DIGIT)
for (let i = 0; i < 16; i++) for (const digit of [i.toString(16), i.toString(16).toUpperCase()]) DIGITS[digit.charCodeAt(0)] = i

/** Writes the bytes of hex of even length into an array from an offset on. Returns false if a character is no digit. */
export function writeHex(text: string, bytes: Uint8Array, offset: number): boolean {
  let all = 0
  for (let i = 0, at = offset; i < text.length; i += 2, at++) {
    const pair = ((DIGITS[text.charCodeAt(i)] as number) << 4) | (DIGITS[text.charCodeAt(i + 1)] as number)
    all |= pair
    bytes[at] = pair
  }
  return all <= 0xff
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
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number)
  return a.length - b.length
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0
}

export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

/** The number of arguments that a call may have on any machine. */
const MAX_ARGUMENTS = 8192

/** Converts bytes to a text of one character for each. */
export function latin1(bytes: Uint8Array): string {
  let text = ""
  for (let start = 0; start < bytes.length; start += MAX_ARGUMENTS) {
    const codes = new Array<number>(Math.min(MAX_ARGUMENTS, bytes.length - start))
    // Spreading the bytes themselves takes five times as long.
    for (let i = 0; i < codes.length; i++) codes[i] = bytes[start + i] as number
    text += String.fromCharCode(...codes)
  }
  return text
}

/** Converts a text of one character for each byte to bytes. */
export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Converts UTF-8 to text. What is not UTF-8 becomes U+FFFD. */
export function textOfUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** Prints bytes as standard base64 with padding. */
export const toBase64 = (bytes: Uint8Array): string => btoa(latin1(bytes))

/** Reads base64; `undefined` if `toBase64` prints no bytes like this. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    const bytes = latin1Bytes(atob(text))
    return toBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
