import { type SignedBytes, signedBytesOf } from "../core/chain/signedBytes.js"
import { secp256k1 } from "../core/crypto/backends.js"
import type { ParseCertificate } from "../core/crypto/certificate.js"
import { sha256 } from "../core/crypto/hash.js"
import { recoverCache } from "../core/crypto/recoverCache.js"
import { addressOf } from "../core/crypto/secp256k1.js"
import { concatBytes, latin1, toHex, writeHex } from "../core/lib/bytes.js"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import { P_CHAIN_ID } from "../core/types/id.js"
import { decodeContainer, verifyContainer } from "../core/types/proposervm.js"
import { type BlockWithWrapper, isSigned, type ReadBlockOptions } from "./blockEntry.js"

/** Signatures of blocks that are not checked, in a form that is cheap to pass from thread to thread. */
export interface UncheckedSignatures {
  /** One transaction after the other: the bytes that were signed, and the signatures. */
  readonly signed: Uint8Array
  /** For each transaction the number of signed bytes, and the number of signatures. */
  readonly signedSizes: Uint32Array
  /** The bytes of signed wrappers, one after the other, and the size of each. */
  readonly wrappers: Uint8Array
  readonly wrapperSizes: Uint32Array
}

/** The result of a check of signatures, in the same form. */
export interface CheckedSignatures {
  /** One record for each signature, in order: a byte that is 1 if the signature is valid, the signature, and the address of its signer. */
  readonly signers: Uint8Array
  /** The SHA-256 hashes of signed wrappers with a valid signature. The hash covers all bytes, the signature included. */
  readonly wrappers: Uint8Array
}

const HASH_SIZE = 32
const SIGNATURE_SIZE = 65
const ADDRESS_SIZE = 20
const VALID = 1
const RECORD_SIZE = 1 + SIGNATURE_SIZE + ADDRESS_SIZE

/** Returns the signed transactions in blocks above a height. */
export function signedIn(blocks: readonly BlockWithWrapper[], above: bigint): SignedBytes[] {
  return blocks.flatMap(({ block }) => (block.height > above ? signedBytesOf(block) : []))
}

/** Collects the signatures of transactions, and the signed wrappers of blocks. */
export function uncheckedSignatures(txs: readonly SignedBytes[], blocks: readonly BlockWithWrapper[]): UncheckedSignatures {
  const wrappers = blocks.flatMap(({ wrapper }) => (wrapper && isSigned(wrapper) ? [wrapper.bytes] : []))
  return {
    signed: joined(txs),
    signedSizes: Uint32Array.from(txs.flatMap(({ unsigned, signatures }) => [unsigned.length, signatures.length])),
    wrappers: concatBytes(...wrappers),
    wrapperSizes: Uint32Array.from(wrappers, ({ length }) => length),
  }
}

/** Joins the bytes of signed transactions, of which there may be more than a function takes arguments. */
function joined(txs: readonly SignedBytes[]): Uint8Array {
  let size = 0
  for (const { unsigned, signatures } of txs) size += unsigned.length + signatures.length * SIGNATURE_SIZE
  const bytes = new Uint8Array(size)
  let at = 0
  for (const { unsigned, signatures } of txs) {
    bytes.set(unsigned, at)
    at += unsigned.length
    for (const signature of signatures) {
      bytes.set(signature, at)
      at += SIGNATURE_SIZE
    }
  }
  return bytes
}

/** Checks signatures: recovers the signers of transactions, and verifies wrappers. */
export function checkSignatures(unchecked: UncheckedSignatures, parse?: ParseCertificate): CheckedSignatures {
  const { wrappers, wrapperSizes } = unchecked
  return { signers: signersOf(unchecked), wrappers: validWrappers(wrappers, wrapperSizes, parse) }
}

const signerOf = (hash: Uint8Array, signature: Uint8Array): string => addressOf(secp256k1().recover(hash, signature))

function signersOf({ signed, signedSizes }: UncheckedSignatures): Uint8Array {
  let count = 0
  for (let i = 1; i < signedSizes.length; i += 2) count += signedSizes[i] as number
  const records = new Uint8Array(count * RECORD_SIZE)
  let [at, end] = [0, 0]
  for (let i = 0; i < signedSizes.length; i += 2) {
    const size = signedSizes[i] as number
    const signatures = signedSizes[i + 1] as number
    // The inputs of a transaction often repeat one signature.
    const signer = signatures > 1 ? recoverCache(secp256k1, signatures).signer : signerOf
    const hash = sha256(signed.subarray(at, at + size))
    at += size
    for (let left = signatures; left > 0; left--) {
      const signature = signed.subarray(at, at + SIGNATURE_SIZE)
      at += SIGNATURE_SIZE
      const address = valueOrInvalid(() => signer(hash, signature))
      if (!(address instanceof Invalid)) {
        records[end] = VALID
        records.set(signature, end + 1)
        writeHex(address, records, end + 1 + SIGNATURE_SIZE)
      }
      end += RECORD_SIZE
    }
  }
  return records
}

function validWrappers(wrappers: Uint8Array, sizes: Uint32Array, parse: ParseCertificate | undefined): Uint8Array {
  const hashes: Uint8Array[] = []
  let at = 0
  for (const size of sizes) {
    const bytes = wrappers.subarray(at, at + size)
    at += size
    const refusal = valueOrInvalid(() => verifyContainer(decodeContainer(bytes, parse), P_CHAIN_ID, parse))
    if (!(refusal instanceof Invalid)) hashes.push(sha256(bytes))
  }
  return concatBytes(...hashes)
}

/** Returns the signers of transactions from the result of the check of their signatures. */
export function knownSigners(txs: readonly SignedBytes[], { signers }: CheckedSignatures): Map<Uint8Array, string> {
  const known = new Map<Uint8Array, string>()
  const hex = toHex(signers)
  let at = 0
  for (const { signatures } of txs) {
    for (const signature of signatures) {
      const end = at + RECORD_SIZE
      // An invalid signature is checked again by the execution, which refuses it.
      if (signers[at] === VALID && isAt(signature, signers, at + 1))
        known.set(signature, hex.slice(2 * (end - ADDRESS_SIZE), 2 * end))
      at = end
    }
  }
  return known
}

function isAt(signature: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < SIGNATURE_SIZE; i++) if (signature[i] !== bytes[at + i]) return false
  return true
}

/** Returns a function that checks whether bytes are a wrapper whose signature was found valid. */
export function verifiedWrappers({ wrappers }: CheckedSignatures): NonNullable<ReadBlockOptions["isVerified"]> {
  const known = new Set<string>()
  for (let at = 0; at < wrappers.length; at += HASH_SIZE) known.add(latin1(wrappers.subarray(at, at + HASH_SIZE)))
  return (bytes) => known.size > 0 && known.has(latin1(sha256(bytes)))
}
