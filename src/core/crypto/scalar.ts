import { compareBytes, isZero } from "../lib/bytes.js"

/** Returns whether bytes are a secret of a group with this order: 32 bytes big-endian, above zero and below the order. */
export function isSecret(bytes: Uint8Array, order: Uint8Array): boolean {
  return bytes.length === 32 && compareBytes(bytes, order) < 0 && !isZero(bytes)
}
