import { sha256, sha256Latin1 } from "../crypto/hash.js"
import { fromBase58, isBase58, toBase58 } from "./base58.js"
import { typeError } from "./errors.js"

/** The size of the checksum, bytes. */
export const CHECKSUM_SIZE = 4

/** Returns the checksum of cb58 and of hex texts: the last four bytes of the SHA-256. */
export function checksumOf(bytes: Uint8Array): Uint8Array {
  return sha256(bytes).subarray(-CHECKSUM_SIZE)
}

/** Writes bytes in cb58, Avalanche's text form: base58 of the bytes and their checksum. */
export function toCb58(bytes: Uint8Array): string {
  return toBase58(checkedBytes(bytes))
}

/** Puts the checksum behind bytes. */
function checkedBytes(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  const digest = sha256Latin1(bytes)
  const checked = new Uint8Array(length + CHECKSUM_SIZE)
  // Loops take a third of the time of subarray() and set() for so few bytes.
  for (let i = 0; i < length; i++) checked[i] = bytes[i] as number
  putChecksum(digest, checked)
  return checked
}

/** Puts the checksum of a digest at the end. */
export function putChecksum(digest: string, checked: Uint8Array): void {
  const [from, to] = [digest.length - CHECKSUM_SIZE, checked.length - CHECKSUM_SIZE]
  for (let i = 0; i < CHECKSUM_SIZE; i++) checked[to + i] = digest.charCodeAt(from + i)
}

/** Reads a cb58 text. Refuses, in this order: a foreign character, no checksum, a wrong one, a wrong size. */
export function fromCb58(text: string, size?: number): Uint8Array {
  // A text that is much too long is not decoded, which would take long; its checksum would practically never match.
  if (size !== undefined && text.length > 4 * (size + CHECKSUM_SIZE) && isBase58(text)) throw typeError("types.bad_checksum")
  const bytes = withoutChecksum(fromBase58(text))
  if (size !== undefined && bytes.length !== size)
    throw typeError("types.wrong_size", { text, expected: size, got: bytes.length })
  return bytes
}

/** Removes the checksum from the end of these bytes, if it matches. */
export function withoutChecksum(checked: Uint8Array): Uint8Array {
  if (checked.length < CHECKSUM_SIZE) throw typeError("types.no_checksum", { size: checked.length })
  const bytes = checked.slice(0, -CHECKSUM_SIZE)
  if (!hasChecksum(checked, sha256Latin1(bytes))) throw typeError("types.bad_checksum")
  return bytes
}

/** Compares the end of these bytes with that of a digest. No array is made for the four bytes, which would take longer than the rest. */
function hasChecksum(checked: Uint8Array, digest: string): boolean {
  for (let i = 1; i <= CHECKSUM_SIZE; i++) {
    if (checked[checked.length - i] !== digest.charCodeAt(digest.length - i)) return false
  }
  return true
}
