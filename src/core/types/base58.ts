import { goQuoteCharacter } from "../lib/go/goQuote.js"
import { typeError } from "./errors.js"

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** The codes of the digits in ASCII. */
const CODES = Uint8Array.from(ALPHABET, (digit) => digit.charCodeAt(0))

const VALUES = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

const PAIRS = Array.from({ length: 58 * 58 }, (_, i) => `${ALPHABET[Math.floor(i / 58)]}${ALPHABET[i % 58]}`)
/** The codes of the two digits, the second in the upper byte. */
const PAIR_CODES = Uint16Array.from(PAIRS, (pair) => pair.charCodeAt(0) | (pair.charCodeAt(1) << 8))

/**
 * The maximum size of bytes for the fast way, which are an ID and its checksum. A table has the amount that each 24 bits add to each four
 * digits.
 */
const SHORT = 36
const WORDS = SHORT / 3
/** Number of groups of four digits in this many bytes. */
const FOURS = WORDS + 1
const FOUR_DIGITS = 58 ** 4

/** The maximum number of digits of this many bytes. */
export const MAX_SHORT_DIGITS = 4 * FOURS

/** 2^(24 word) in base 58^4: the lowest four digits of all powers first, then those above them. */
const POWERS = new Float64Array(FOURS * WORDS)
for (let word = 0; word < WORDS; word++) {
  let power = 1n << BigInt(24 * word)
  for (let four = 0; four < FOURS; four++, power /= BigInt(FOUR_DIGITS)) {
    POWERS[four * WORDS + word] = Number(power % BigInt(FOUR_DIGITS))
  }
}
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

// The bytes and the digits of the conversion that runs. New arrays for each conversion would take a quarter of its time.
const paddedBytes = new Uint8Array(SHORT)
const shortFours = new Int32Array(FOURS)

/**
 * Writes at most 36 bytes as base58 into a buffer at a place, where `MAX_SHORT_DIGITS` bytes must be left; returns the place behind the last
 * digit. A test compares it with @scure/base.
 */
export function putBase58(bytes: Uint8Array, out: Uint8Array, at: number): number {
  const groups = Math.ceil(bytes.length / 3) + 1
  fillFours(bytes.length === SHORT ? bytes : padded(bytes), groups)
  return putDigits(groups, zerosIn(bytes), out, at)
}

/** Puts zeroes in front of bytes, up to 36 bytes. */
function padded(bytes: Uint8Array): Uint8Array {
  const zeros = SHORT - bytes.length
  for (let i = 0; i < zeros; i++) paddedBytes[i] = 0
  for (let i = 0; i < bytes.length; i++) paddedBytes[zeros + i] = bytes[i] as number
  return paddedBytes
}

/**
 * Fills in the lowest groups of four digits of 36 bytes. It computes with words of 24 bits, of which w0 is the lowest: a sum of twelve
 * products stays below 2^51, so that each group is divided only once. The words are variables and the sum is one expression, because a loop
 * over arrays takes twice the time.
 */
function fillFours(bytes: Uint8Array, groups: number): void {
  const w0 = wordAt(bytes, 33)
  const w1 = wordAt(bytes, 30)
  const w2 = wordAt(bytes, 27)
  const w3 = wordAt(bytes, 24)
  const w4 = wordAt(bytes, 21)
  const w5 = wordAt(bytes, 18)
  const w6 = wordAt(bytes, 15)
  const w7 = wordAt(bytes, 12)
  const w8 = wordAt(bytes, 9)
  const w9 = wordAt(bytes, 6)
  const w10 = wordAt(bytes, 3)
  const w11 = wordAt(bytes, 0)
  // Variables of the module are read again after every change of an array.
  const powers = POWERS
  const fours = shortFours
  let carry = 0
  for (let four = 0, power = 0; four < groups; four++, power += WORDS) {
    const sum =
      carry +
      (w0 * (powers[power] as number) +
        w1 * (powers[power + 1] as number) +
        w2 * (powers[power + 2] as number) +
        w3 * (powers[power + 3] as number) +
        w4 * (powers[power + 4] as number) +
        w5 * (powers[power + 5] as number) +
        w6 * (powers[power + 6] as number) +
        w7 * (powers[power + 7] as number) +
        w8 * (powers[power + 8] as number) +
        w9 * (powers[power + 9] as number) +
        w10 * (powers[power + 10] as number) +
        w11 * (powers[power + 11] as number))
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
    fours[four] = rest
  }
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number)

/** Writes the first groups of four digits, the highest first, behind a `1` for each of `zeros`. Other leading `1`s are not written. */
function putDigits(groups: number, zeros: number, out: Uint8Array, at: number): number {
  const fours = shortFours
  const pairs = PAIR_CODES
  for (let i = 0; i < zeros; i++) out[at++] = ONE
  let four = groups - 1
  while (four >= 0 && fours[four] === 0) four--
  if (four < 0) return at
  const top = fours[four] as number
  for (let unit = 58 ** 3; unit >= 1; unit /= 58) if (top >= unit) out[at++] = CODES[((top / unit) | 0) % 58] as number
  while (--four >= 0) {
    const value = fours[four] as number
    const upper = (value / 3364) | 0
    const high = pairs[upper] as number
    const low = pairs[value - upper * 3364] as number
    // An array of bytes takes the lowest eight bits.
    out[at] = high
    out[at + 1] = high >> 8
    out[at + 2] = low
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
