import { toHex, utf8 } from "../core/lib/bytes.js"
import type { KeyMaker } from "../core/wire/text.js"
import { secp256k1 } from "../platform/backends.js"
import { load } from "../platform/load.js"

/**
 * Returns the address of a compressed secp256k1 public key on EVM chains, such as the C-Chain and L1s: the last 20 bytes of the Keccak-256
 * hash of the uncompressed key, with the checksum of EIP-55. Returns `undefined` if the bytes are no key.
 */
export function evmAddressOf(publicKey: Uint8Array): `0x${string}` | undefined {
  const uncompressed = uncompressedOf(publicKey)
  if (!uncompressed) return undefined
  return checksummedAddress(toHex(keccak256(uncompressed.subarray(1)).subarray(12)))
}

/** Returns the text of an address of EVM chains, from its 40 lowercase hex digits, with the checksum of EIP-55. */
export function checksummedAddress(digits: string): `0x${string}` {
  const marks = toHex(keccak256(utf8(digits)))
  const isUpper = (index: number) => Number.parseInt(marks[index]!, 16) >= 8
  return `0x${[...digits].map((digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join("")}`
}

function uncompressedOf(publicKey: Uint8Array): Uint8Array | undefined {
  const { secp256k1 } = load<typeof import("@noble/curves/secp256k1.js")>("@noble/curves/secp256k1.js")
  try {
    return publicKey.length === 33 ? secp256k1.Point.fromBytes(publicKey).toBytes(false) : undefined
  } catch {
    return undefined
  }
}

/** Returns the Keccak-256 hash of bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return load<typeof import("@noble/hashes/sha3.js")>("@noble/hashes/sha3.js").keccak_256(bytes)
}

/** Makes keys with the back ends of this process. */
export const keyMaker: KeyMaker = {
  get secp256k1() {
    return secp256k1()
  },
  evmAddressOf,
}
