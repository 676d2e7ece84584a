import { hexToBytes } from "../lib/bytes.js"
import { fromCb58, toCb58 } from "./cb58.js"
import { typeError } from "./errors.js"

const PREFIX = "PrivateKey-"
const SIZE = 32

/** Prints a secp256k1 private key as `PrivateKey-` and cb58. */
export function privateKeyText(secret: Uint8Array): string {
  return PREFIX + toCb58(secret)
}

/** Reads the 32 bytes of a key from `PrivateKey-` and cb58 text, or from 64 hex digits with or without `0x`. Throws `types.*`. */
export function parsePrivateKey(text: string): Uint8Array {
  const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text) ?? []
  if (digits !== undefined) return hexToBytes(digits.toLowerCase())
  if (!text.startsWith(PREFIX)) throw typeError("types.no_key_prefix")
  return fromCb58(text.slice(PREFIX.length), SIZE)
}
