import { sha256 } from "../crypto/hash.js"
import { concatBytes, equalBytes } from "../lib/bytes.js"
import { fromBase58, toBase58 } from "./base58.js"
import { typeError } from "./errors.js"

/** Bytes. */
export const CHECKSUM_SIZE = 4

/** The last four bytes of the SHA-256, which end cb58 and checked hex alike. */
export function checksumOf(bytes: Uint8Array): Uint8Array {
  return sha256(bytes).subarray(-CHECKSUM_SIZE)
}

/** How Avalanche spells bytes: base58 of the bytes and their checksum. */
export function toCb58(bytes: Uint8Array): string {
  return toBase58(concatBytes(bytes, checksumOf(bytes)))
}

/** The bytes that a cb58 text spells. Refuses, in this order: a foreign character, no checksum, a wrong one, a wrong size. */
export function fromCb58(text: string, size?: number): Uint8Array {
  const bytes = withoutChecksum(fromBase58(text))
  if (size !== undefined && bytes.length !== size)
    throw typeError("types.wrong_size", { text, expected: size, got: bytes.length })
  return bytes
}

/** Takes the checksum off the end of these bytes, if it fits. */
export function withoutChecksum(checked: Uint8Array): Uint8Array {
  if (checked.length < CHECKSUM_SIZE) throw typeError("types.no_checksum", { size: checked.length })
  const bytes = checked.slice(0, -CHECKSUM_SIZE)
  if (!equalBytes(checksumOf(bytes), checked.subarray(-CHECKSUM_SIZE))) throw typeError("types.bad_checksum")
  return bytes
}
