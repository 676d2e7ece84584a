import { utf8 } from "../lib/bytes.js"
import { typeError } from "./errors.js"

const CHARSET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const CHECKSUM_SIZE = 6

/** Values of the checksum's polynomial: BIP-173's bech32, and BIP-350's bech32m. */
const BECH32 = 1
const BECH32M = 0x2bc830a3

const VALUES = new Int8Array(128).fill(-1)
for (let i = 0; i < CHARSET.length; i++) VALUES[CHARSET.charCodeAt(i)] = i

/** The terms that five bits add to the rest when they are shifted out at the top. */
const CARRIES = Int32Array.from({ length: 32 }, (_, top) =>
  GENERATORS.reduce((sum, generator, bit) => ((top >> bit) & 1 ? sum ^ generator : sum), 0),
)

function next(sum: number, value: number): number {
  return ((sum & 0x1ff_ffff) << 5) ^ value ^ (CARRIES[sum >>> 25] as number)
}

function sumOf(hrp: string, words: readonly number[]): number {
  let sum = 1
  for (let i = 0; i < hrp.length; i++) sum = next(sum, hrp.charCodeAt(i) >> 5)
  sum = next(sum, 0)
  for (let i = 0; i < hrp.length; i++) sum = next(sum, hrp.charCodeAt(i) & 31)
  // Loops over indexes here and below: an address is read for every call that names one.
  for (let i = 0; i < words.length; i++) sum = next(sum, words[i] as number)
  return sum
}

function checksumOf(hrp: string, words: readonly number[], version: number): string {
  const sum = sumOf(hrp, [...words, 0, 0, 0, 0, 0, 0]) ^ version
  let out = ""
  for (let shift = 25; shift >= 0; shift -= 5) out += CHARSET[(sum >> shift) & 31]
  return out
}

/** Converts the first `count` groups of five bits to bytes. Remaining bits become one more byte, filled with zeroes. */
function toBytes(words: readonly number[], count: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((count * 5) / 8))
  let at = 0
  let pending = 0
  let bits = 0
  for (let i = 0; i < count; i++) {
    pending = ((pending << 5) | (words[i] as number)) & 0xfff
    for (bits += 5; bits >= 8; bits -= 8) bytes[at++] = pending >> (bits - 8)
  }
  if (bits > 0) bytes[at] = pending << (8 - bits)
  return bytes
}

/** Converts bytes to groups of five bits. The last group is filled with zeroes. */
function toWords(bytes: Uint8Array): number[] {
  const words: number[] = []
  let pending = 0
  let bits = 0
  for (let i = 0; i < bytes.length; i++) {
    pending = ((pending << 8) | (bytes[i] as number)) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) words.push((pending >> (bits - 5)) & 31)
  }
  if (bits > 0) words.push((pending << (5 - bits)) & 31)
  return words
}

/** Writes bytes as bech32 with this human-readable part. */
export function toBech32(hrp: string, bytes: Uint8Array): string {
  const words = toWords(bytes)
  let text = `${hrp}1`
  for (let i = 0; i < words.length; i++) text += CHARSET[words[i] as number]
  return text + checksumOf(hrp, words, BECH32)
}

/**
 * Reads a bech32 text: 8 to 90 characters, all lower or all upper case, with the last `1` as separator. Throws `types.bad_bech32`. As in
 * AvalancheGo, a checksum of bech32m is accepted, and a text that ends within a byte has that byte, filled with zeroes.
 */
export function fromBech32(given: string): { hrp: string; bytes: Uint8Array } {
  const size = utf8(given).length
  if (size < 8 || size > 90) throw refusal(`invalid bech32 string length ${size}`)
  const text = oneCase(given)
  const one = text.lastIndexOf("1")
  if (one < 1 || one + 1 + CHECKSUM_SIZE > text.length) throw refusal(`invalid separator index ${one}`)
  const hrp = text.slice(0, one)
  const words: number[] = []
  for (let i = one + 1; i < text.length; i++) words.push(wordOf(text.charCodeAt(i)))
  const sum = sumOf(hrp, words)
  if (sum !== BECH32 && sum !== BECH32M) throw badChecksum(hrp, words.slice(0, -CHECKSUM_SIZE), text.slice(-CHECKSUM_SIZE))
  return { hrp, bytes: toBytes(words, words.length - CHECKSUM_SIZE) }
}

/** Returns the text in lower case. Refuses characters that are not printable ASCII and mixed case, at the first such character. */
function oneCase(text: string): string {
  let hasLower = false
  let hasUpper = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 33 || code > 126) throw refusal(`invalid character in string: '${firstByteOf(text.slice(i))}'`)
    hasLower ||= code >= 97 && code <= 122
    hasUpper ||= code >= 65 && code <= 90
    if (hasLower && hasUpper) throw refusal("string not all lowercase or all uppercase")
  }
  return hasUpper ? text.toLowerCase() : text
}

/** The first byte of a text in UTF-8, as a character. */
function firstByteOf(text: string): string {
  return String.fromCharCode(utf8(text)[0] as number)
}

function wordOf(code: number): number {
  const value = VALUES[code] as number
  if (value < 0) throw refusal(`invalid character not part of charset: ${code}`)
  return value
}

function badChecksum(hrp: string, payload: readonly number[], got: string) {
  const expected = checksumOf(hrp, payload, BECH32)
  // AvalancheGo prints the second checksum after the first.
  const expectedM = expected + checksumOf(hrp, payload, BECH32M)
  return refusal(`invalid checksum (expected (bech32=${expected}, bech32m=${expectedM}), got ${got})`)
}

function refusal(reason: string) {
  return typeError("types.bad_bech32", { reason })
}
