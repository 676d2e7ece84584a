import { base58 } from "@scure/base"
import { sha256 } from "../crypto/hash.js"
import { concatBytes, equalBytes } from "../lib/bytes.js"
import { typeError } from "./errors.js"

const CHECKSUM_SIZE = 4
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** The last four bytes of the SHA-256, which end cb58 and checked hex alike. */
export function checksumOf(bytes: Uint8Array): Uint8Array {
  return sha256(bytes).subarray(-CHECKSUM_SIZE)
}

/** How Avalanche spells bytes: base58 of the bytes and their checksum. */
export function toCb58(bytes: Uint8Array): string {
  return base58.encode(concatBytes(bytes, checksumOf(bytes)))
}

/** The bytes that a cb58 text spells. Refuses, in this order: a foreign character, no checksum, a wrong one, a wrong size. */
export function fromCb58(text: string, size?: number): Uint8Array {
  const bytes = withoutChecksum(base58Bytes(text))
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

/** Longer texts spell nothing the protocol has, and base58 takes time quadratic in the length. */
const MAX_TEXT = 1 << 16

function base58Bytes(text: string): Uint8Array {
  const position = [...text].findIndex((character) => !ALPHABET.includes(character))
  if (text === "" || position >= 0 || text.length > MAX_TEXT) {
    throw typeError("types.bad_base58", { text: text.slice(0, 64), character: text[position] ?? "", position })
  }
  return base58.decode(text)
}
