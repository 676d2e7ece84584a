import { latin1Bytes, textOfUtf8 } from "./bytes.js"

const ALPHABET = latin1Bytes("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
const PADDING = "=".charCodeAt(0)
/** The values of the characters by their codes; 64 for all others. */
const VALUES = new Uint8Array(256).fill(64)
for (const [value, code] of ALPHABET.entries()) VALUES[code] = value

/** Prints bytes as standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil(bytes.length / 3) * 4)
  for (let i = 0, at = 0; i < bytes.length; i += 3) {
    // Bytes after the end count as zeroes.
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    for (let shift = 18; shift >= 0; shift -= 6) codes[at++] = ALPHABET[(group >> shift) & 63] as number
  }
  const missing = (3 - (bytes.length % 3)) % 3
  return textOfUtf8(codes.fill(PADDING, codes.length - missing))
}

/** Reads base64; `undefined` if `toBase64` prints no bytes like this. */
export function fromBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/={1,2}$/, "")
  const bytes = new Uint8Array((digits.length * 3) >> 2)
  let group = 0
  for (let i = 0, at = 0; i < digits.length; i++) {
    group = ((group << 6) | (VALUES[digits.charCodeAt(i) & 0xff] as number)) & 0xfff
    // The bits that begin the next byte; the first of four characters completes none.
    const rest = ((i + 1) * 6) & 7
    if (rest < 6) bytes[at++] = group >> rest
  }
  return toBase64(bytes) === text ? bytes : undefined
}
