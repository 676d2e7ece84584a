import { concatBytes, hexToBytes, toHex, utf8 } from "../lib/bytes.js"
import { load } from "./load.js"

// The field of secp256k1, whose prime is 3 modulo 4.
const PRIME = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff_fffe_ffff_fc2fn

/**
 * Returns the address of a compressed secp256k1 public key on EVM chains, such as the C-Chain and L1s: the last 20 bytes of the Keccak-256
 * hash of the uncompressed key, with the checksum of EIP-55. The key must be a point (`isPoint`).
 */
export function evmAddressOf(publicKey: Uint8Array): string {
  const x = publicKey.subarray(1)
  const digits = toHex(keccak256(concatBytes(x, yOf(publicKey[0]!, x))).subarray(12))
  const marks = toHex(keccak256(utf8(digits)))
  const isUpper = (index: number) => Number.parseInt(marks[index]!, 16) >= 8
  return `0x${[...digits].map((digit, index) => (isUpper(index) ? digit.toUpperCase() : digit)).join("")}`
}

/** Returns whether 33 bytes are a point of the curve in compressed form. */
export function isPoint(publicKey: Uint8Array): boolean {
  const [prefix] = publicKey
  if (publicKey.length !== 33 || (prefix !== 2 && prefix !== 3)) return false
  const x = numberIn(publicKey.subarray(1))
  const square = squareAt(x)
  return x < PRIME && (rootOf(square) * rootOf(square)) % PRIME === square
}

const numberIn = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`)
const squareAt = (x: bigint): bigint => (x * x * x + 7n) % PRIME
const rootOf = (square: bigint): bigint => power(square, (PRIME + 1n) / 4n)

/** Returns the second coordinate of the point, 32 bytes. The prefix is 2 where it is even and 3 where it is odd. */
function yOf(prefix: number, x: Uint8Array): Uint8Array {
  const root = rootOf(squareAt(numberIn(x)))
  const y = Number(root & 1n) === (prefix & 1) ? root : PRIME - root
  return hexToBytes(y.toString(16).padStart(64, "0"))
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % PRIME
    square = (square * square) % PRIME
  }
  return result
}

function keccak256(bytes: Uint8Array): Uint8Array {
  return load<typeof import("@noble/hashes/sha3.js")>("@noble/hashes/sha3.js").keccak_256(bytes)
}
