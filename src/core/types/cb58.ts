import { sha256 } from "../crypto/hash.js"
import { concatBytes, equalBytes } from "../lib/bytes.js"
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
  return toBase58(concatBytes(bytes, checksumOf(bytes)))
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
  if (!equalBytes(checked.subarray(-CHECKSUM_SIZE), checksumOf(bytes))) throw typeError("types.bad_checksum")
  return bytes
}
