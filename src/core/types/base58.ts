import { goQuoteCharacter } from "../lib/go/goQuote.js"
import { typeError } from "./errors.js"

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** The codes of the digits in ASCII. */
const CODES = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0))

const VALUES = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

/** Number of texts of two digits. */
export const TWO_DIGITS = 58 ** 2
const PAIRS = Array.from({ length: TWO_DIGITS }, (_, i) => `${ALPHABET[Math.floor(i / 58)]}${ALPHABET[i % 58]}`)
/** The codes of the two digits, the second in the upper byte. */
export const PAIR_CODES = Uint16Array.from(PAIRS, (pair) => pair.charCodeAt(0) | (pair.charCodeAt(1) << 8))

/**
 * The maximum size of bytes for the fast way, which are an ID and its checksum. A table has the amount that each 24 bits add to each four
 * digits.
 */
const SHORT = 36
export const WORDS = SHORT / 3
/** Number of groups of four digits in this many bytes. */
export const FOURS = WORDS + 1
export const FOUR_DIGITS = 58 ** 4

/** The maximum number of digits of this many bytes. */
export const MAX_SHORT_DIGITS = 4 * FOURS

/** 2^(24 word) in base 58^4: the lowest four digits of all powers first, then those above them. */
export const POWERS = new Float64Array(FOURS * WORDS)
for (let word = 0; word < WORDS; word++) {
  let power = 1n << BigInt(24 * word)
  for (let four = 0; four < FOURS; four++, power /= BigInt(FOUR_DIGITS)) {
    POWERS[four * WORDS + word] = Number(power % BigInt(FOUR_DIGITS))
  }
}
/** The first word that adds to each group of four digits. Earlier words are too small. */
const FIRST_WORDS = Uint8Array.from({ length: FOURS }, (_, four) =>
  POWERS.subarray(four * WORDS, (four + 1) * WORDS).findIndex((power) => power > 0),
)

/** Writes bytes as base58: one number in Bitcoin's digits, with a `1` for every leading zero byte. */
export function toBase58(bytes: Uint8Array): string {
  if (bytes.length <= SHORT) {
    const out = Buffer.allocUnsafe(MAX_SHORT_DIGITS)
    return out.toString("latin1", 0, putBase58(bytes, out, 0))
  }
  const zeros = zerosIn(bytes)
  const digits = longDigits(bytes, zeros)
  let first = 0
  while (digits.charCodeAt(first) === ONE) first++
  return first === zeros ? digits : "1".repeat(zeros) + digits.slice(first)
}

/** The code of the digit for zero. */
const ONE = 0x31

/** Number of leading zero bytes. */
function zerosIn(bytes: Uint8Array): number {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  return zeros
}

// The digits of the conversion that runs. New arrays for each conversion would take a quarter of its time.
const shortWords = new Float64Array(WORDS)
const shortFours = new Int32Array(FOURS)

/**
 * Writes at most 36 bytes as base58 into a buffer at a place, where `MAX_SHORT_DIGITS` bytes must be left; returns the place behind the last
 * digit. It computes with words of 24 bits and groups of four digits: a sum of twelve products stays below 2^51, so that each group is
 * divided only once. A test compares it with @scure/base.
 */
export function putBase58(bytes: Uint8Array, out: Uint8Array, at: number): number {
  const words = fillWords(bytes)
  let carry = 0
  for (let four = 0; four <= words; four++) {
    let sum = carry
    let power = four * WORDS + (FIRST_WORDS[four] as number)
    for (let word = FIRST_WORDS[four] as number; word < words; word++) {
      sum += (shortWords[word] as number) * (POWERS[power++] as number)
    }
    // Multiplying by the inverse takes less time than dividing. The quotient is at most one too high or too low, which is corrected below.
    carry = Math.floor(sum * (1 / FOUR_DIGITS))
    let rest = sum - carry * FOUR_DIGITS
    if (rest < 0) {
      rest += FOUR_DIGITS
      carry--
    } else if (rest >= FOUR_DIGITS) {
      rest -= FOUR_DIGITS
      carry++
    }
    shortFours[four] = rest
  }
  return putDigits(words + 1, zerosIn(bytes), out, at)
}

/** Fills in the numbers of 24 bits, the lowest first. Returns how many they are. */
function fillWords(bytes: Uint8Array): number {
  const words = Math.ceil(bytes.length / 3)
  let at = bytes.length - 3
  for (let word = 0; word < words; word++, at -= 3) {
    const low = ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number)
    // The last one may have fewer bytes; of an empty place nothing is read.
    shortWords[word] = at >= 0 ? ((bytes[at] as number) << 16) | low : at === -1 ? low : (bytes[at + 2] as number)
  }
  return words
}

/** Writes the first groups of four digits, the highest first, behind a `1` for each of `zeros`. Other leading `1`s are not written. */
function putDigits(groups: number, zeros: number, out: Uint8Array, at: number): number {
  const fours = shortFours
  for (let i = 0; i < zeros; i++) out[at++] = ONE
  let four = groups - 1
  while (four >= 0 && fours[four] === 0) four--
  if (four < 0) return at
  const top = fours[four] as number
  for (let unit = 58 ** 3; unit >= 1; unit /= 58) if (top >= unit) out[at++] = CODES[((top / unit) | 0) % 58] as number
  while (--four >= 0) {
    const value = fours[four] as number
    const upper = (value / TWO_DIGITS) | 0
    const [high, low] = [PAIR_CODES[upper] as number, PAIR_CODES[value - upper * TWO_DIGITS] as number]
    out[at] = high & 0xff
    out[at + 1] = high >> 8
    out[at + 2] = low & 0xff
    out[at + 3] = low >> 8
    at += 4
  }
  return at
}

// Longer bytes: digits are made five at a time, and bytes taken in pairs, since a product of the two fits in a double.
const FIVE_DIGITS = 58 ** 5

/** The same for bytes of any length, in time quadratic in it. */
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
  const middle = Math.floor(rest / TWO_DIGITS)
  return (ALPHABET[top] as string) + (PAIRS[middle] as string) + (PAIRS[rest - middle * TWO_DIGITS] as string)
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
