import { goQuoteCharacter } from "../lib/go/goQuote.js"
import { typeError } from "./errors.js"

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

const VALUES = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

/** The number that five digits can represent. Its product with 2^16 fits in a double, so five digits and two bytes are taken at a time. */
const FIVE_DIGITS = 58 ** 5

/** Writes bytes as base58: one number in Bitcoin's digits, with a `1` for every leading zero byte. */
export function toBase58(bytes: Uint8Array): string {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  // The number in groups of five digits, the lowest first.
  const groups: number[] = []
  for (let at = zeros - ((bytes.length - zeros) & 1); at < bytes.length; at += 2) {
    const high = at < zeros ? 0 : (bytes[at] as number)
    let carry = high * 256 + (bytes[at + 1] as number)
    for (let i = 0; i < groups.length; i++) {
      const value = (groups[i] as number) * 65_536 + carry
      carry = Math.floor(value / FIVE_DIGITS)
      groups[i] = value - carry * FIVE_DIGITS
    }
    if (carry > 0) groups.push(carry)
  }
  return "1".repeat(zeros) + digitsOf(groups)
}

/** Writes the digits of groups of five, without the zeroes in front. */
function digitsOf(groups: readonly number[]): string {
  let digits = ""
  for (let i = groups.length - 1; i >= 0; i--) {
    let rest = groups[i] as number
    for (let unit = FIVE_DIGITS / 58; unit >= 1; unit /= 58) {
      const digit = Math.floor(rest / unit)
      digits += ALPHABET[digit]
      rest -= digit * unit
    }
  }
  let first = 0
  while (digits[first] === "1") first++
  return digits.slice(first)
}

export function isBase58(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]*$/.test(text)
}

/** The maximum length of a text. Longer texts have no meaning in the protocol, and base58 takes quadratic time. */
const MAX_TEXT = 8192

/** Reads a base58 text. Throws `types.bad_base58`; the empty text gives no bytes. */
export function fromBase58(text: string): Uint8Array {
  if (text === "") throw typeError("types.bad_base58", { problem: "zero length string" })
  if (text.length > MAX_TEXT) throw typeError("types.bad_base58", { problem: `${text.length} digits are too many` })
  let zeros = 0
  while (text.charCodeAt(zeros) === 0x31) zeros++
  // The number in words of 16 bits, the lowest first.
  const words: number[] = []
  for (let at = zeros; at < text.length; ) {
    let carry = 0
    let factor = 1
    for (const end = Math.min(at + 5, text.length); at < end; at++) {
      carry = carry * 58 + digitAt(text, at)
      factor *= 58
    }
    for (let i = 0; i < words.length; i++) {
      const value = (words[i] as number) * factor + carry
      carry = Math.floor(value / 65_536)
      words[i] = value - carry * 65_536
    }
    for (; carry > 0; carry = Math.floor(carry / 65_536)) words.push(carry % 65_536)
  }
  return bytesOf(words, zeros)
}

function bytesOf(words: readonly number[], zeros: number): Uint8Array {
  const top = words[words.length - 1] ?? 0
  const size = words.length === 0 ? 0 : words.length * 2 - (top < 256 ? 1 : 0)
  const bytes = new Uint8Array(zeros + size)
  for (let i = 0; i < size; i++) {
    const word = words[i >> 1] as number
    bytes[bytes.length - 1 - i] = (i & 1) === 0 ? word & 0xff : word >> 8
  }
  return bytes
}

function digitAt(text: string, position: number): number {
  const code = text.charCodeAt(position)
  const value = code < 128 ? (VALUES[code] as number) : -1
  if (value >= 0) return value
  const character = String.fromCodePoint(text.codePointAt(position) as number)
  const problem = code < 128 ? `Invalid base58 digit (${goQuoteCharacter(character)})` : "High-bit set on invalid digit"
  throw typeError("types.bad_base58", { problem, position })
}
