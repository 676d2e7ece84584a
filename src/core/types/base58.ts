import { goQuoteCharacter } from "../lib/go/goQuote.js"
import { typeError } from "./errors.js"

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

// Digits are made five at a time, and bytes taken in pairs, because a product of the two fits in a double. A test compares it with
// @scure/base.
const FIVE_DIGITS = 58 ** 5

const VALUES = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

const PAIRS = Array.from({ length: 58 * 58 }, (_, i) => `${ALPHABET[Math.floor(i / 58)]}${ALPHABET[i % 58]}`)
/** The codes of the two digits, the second in the upper byte. */
const PAIR_CODES = Uint16Array.from(PAIRS, (pair) => pair.charCodeAt(0) | (pair.charCodeAt(1) << 8))

/** The maximum size of bytes for the fast way, which are an ID and its checksum. A table has what each 16 bits add to each five digits. */
const SHORT = 36
const WORDS = SHORT / 2
/** Number of groups of five digits in this many bytes. */
const FIVES = 10

/** 65,536^word in base 58^5: the lowest five digits of all powers first, then those above them. */
const POWERS = new Float64Array(FIVES * WORDS)
for (let word = 0; word < WORDS; word++) {
  let power = 65_536n ** BigInt(word)
  for (let five = 0; five < FIVES; five++, power /= BigInt(FIVE_DIGITS)) {
    POWERS[five * WORDS + word] = Number(power % BigInt(FIVE_DIGITS))
  }
}
/** The first word that adds to each group of five digits. Earlier words are too small. */
const FIRST_WORDS = Uint8Array.from({ length: FIVES }, (_, five) =>
  POWERS.subarray(five * WORDS, (five + 1) * WORDS).findIndex((power) => power > 0),
)

/** Writes bytes as base58: one number in Bitcoin's digits, with a `1` for every leading zero byte. */
export function toBase58(bytes: Uint8Array): string {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  const digits = bytes.length <= SHORT ? shortDigits(bytes) : longDigits(bytes, zeros)
  let first = 0
  while (digits.charCodeAt(first) === 0x31) first++
  return first === zeros ? digits : "1".repeat(zeros) + digits.slice(first)
}

/**
 * Returns the digits of the number, with any number of leading `1`s. A sum of 18 products stays below 2^50, so that each group is divided
 * only once. A transaction's JSON consists mostly of IDs: one takes half the time of the general way (0.5 against 1.1 µs).
 */
function shortDigits(bytes: Uint8Array): string {
  const codes = new Array<number>(5 * FIVES)
  let carry = 0
  for (let five = 0, end = codes.length; five < FIVES; five++) {
    const firstWord = FIRST_WORDS[five] as number
    let power = five * WORDS + firstWord
    let at = bytes.length - 2 - 2 * firstWord
    let sum = carry
    for (; at >= 0; at -= 2) sum += (((bytes[at] as number) << 8) | (bytes[at + 1] as number)) * (POWERS[power++] as number)
    if (at === -1) sum += (bytes[0] as number) * (POWERS[power] as number)
    carry = Math.floor(sum / FIVE_DIGITS)
    const value = (sum - carry * FIVE_DIGITS) | 0
    const upper = (value / 3364) | 0
    const top = (upper / 3364) | 0
    const low = PAIR_CODES[value - upper * 3364] as number
    const middle = PAIR_CODES[upper - top * 3364] as number
    codes[--end] = low >> 8
    codes[--end] = low & 0xff
    codes[--end] = middle >> 8
    codes[--end] = middle & 0xff
    codes[--end] = ALPHABET.charCodeAt(top)
  }
  return String.fromCharCode.apply(null, codes)
}

/** Returns the digits for bytes of any length, in quadratic time. */
function longDigits(bytes: Uint8Array, zeros: number): string {
  const fives: number[] = []
  for (let at = zeros - ((bytes.length - zeros) & 1); at < bytes.length; at += 2) {
    const high = at < zeros ? 0 : (bytes[at] as number)
    let carry = high * 256 + (bytes[at + 1] as number)
    for (let i = 0; i < fives.length; i++) {
      const value = (fives[i] as number) * 65_536 + carry
      carry = Math.floor(value / FIVE_DIGITS)
      fives[i] = value - carry * FIVE_DIGITS
    }
    if (carry > 0) fives.push(carry)
  }
  let digits = ""
  for (let i = fives.length - 1; i >= 0; i--) digits += fiveDigits(fives[i] as number)
  return digits
}

function fiveDigits(value: number): string {
  const top = Math.floor(value / 58 ** 4)
  const rest = value - top * 58 ** 4
  const middle = Math.floor(rest / 3364)
  return (ALPHABET[top] as string) + (PAIRS[middle] as string) + (PAIRS[rest - middle * 3364] as string)
}

/** Returns whether a text has only base58 digits. */
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
