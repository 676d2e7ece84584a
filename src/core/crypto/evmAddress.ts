import { toHex, utf8 } from "../lib/bytes.js"
import { load } from "./load.js"

/**
 * Returns the address of a compressed secp256k1 public key on EVM chains, such as the C-Chain and L1s: the last 20 bytes of the Keccak-256
 * hash of the uncompressed key, with the checksum of EIP-55. The key must be a point (`isPoint`).
 */
export function evmAddressOf(publicKey: Uint8Array): string {
  const uncompressed = point().fromBytes(publicKey).toBytes(false)
  const digits = toHex(keccak256(uncompressed.subarray(1)).subarray(12))
  const marks = toHex(keccak256(utf8(digits)))
  const isUpper = (index: number) => Number.parseInt(marks[index]!, 16) >= 8
  return `0x${[...digits].map((digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join("")}`
}

/** Returns whether 33 bytes are a point of the curve in compressed form. */
export function isPoint(publicKey: Uint8Array): boolean {
  if (publicKey.length !== 33) return false
  try {
    point().fromBytes(publicKey)
    return true
  } catch {
    return false
  }
}

const point = () => load<typeof import("@noble/curves/secp256k1.js")>("@noble/curves/secp256k1.js").secp256k1.Point

function keccak256(bytes: Uint8Array): Uint8Array {
  return load<typeof import("@noble/hashes/sha3.js")>("@noble/hashes/sha3.js").keccak_256(bytes)
}
