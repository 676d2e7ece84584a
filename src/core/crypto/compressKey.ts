import { compareBytes, hexToBytes } from "../lib/bytes.js"
import { cryptoError } from "./errors.js"

// (p - 1) / 2 of the base field. The larger one of y and -y is above it.
const HALF_FIELD = hexToBytes("0d0088f51cbff34d258dd3db21a5d66bb23ba5c279c2895fb39869507b587b120f55ffff58a9ffffdcff7fffffffd555")

/**
 * Returns the 48-byte form of a 96-byte BLS public key: x, with flags for "compressed" and for the larger y. It needs no curve, so no
 * library is loaded to print a key. The key comes from the state and is not checked again.
 */
export function compressKey(publicKey: Uint8Array): Uint8Array {
  if (publicKey.length !== 96) throw cryptoError("crypto.bls_bad_public_key", { problem: "encoding" })
  const first = publicKey[0]!
  if (first >= 0x20) throw cryptoError("crypto.bls_bad_public_key", { problem: first === 0x40 ? "infinity" : "encoding" })
  const compressed = publicKey.slice(0, 48)
  compressed[0] = first | (compareBytes(publicKey.subarray(48), HALF_FIELD) > 0 ? 0xa0 : 0x80)
  return compressed
}
