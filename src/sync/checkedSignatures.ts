import type { Chain } from "../core/chain/chain.js"
import { signedHashesOf } from "../core/chain/signedHashes.js"
import { secp256k1 } from "../core/crypto/backends.js"
import type { ParseCertificate } from "../core/crypto/certificate.js"
import { sha256 } from "../core/crypto/hash.js"
import { recoverCache } from "../core/crypto/recoverCache.js"
import { concatBytes, hexToBytes, latin1, toHex } from "../core/lib/bytes.js"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import { P_CHAIN_ID } from "../core/types/id.js"
import { decodeContainer, verifyContainer } from "../core/types/proposervm.js"
import { type BlockWithWrapper, isSigned, type ReadBlockOptions } from "./blockEntry.js"

/** Signatures of blocks that are not checked, in a form that is cheap to pass from thread to thread. */
export interface UncheckedSignatures {
  /** One record after the other: a hash that was signed, and the signature. */
  readonly signed: Uint8Array
  /** The bytes of signed wrappers, one after the other, and the size of each. */
  readonly wrappers: Uint8Array
  readonly wrapperSizes: Uint32Array
}

/** Valid signatures of blocks, in the same form. An invalid signature is in neither list. */
export interface CheckedSignatures {
  /** One record after the other: the hash that was signed, the signature, and the address of the signer. */
  readonly signers: Uint8Array
  /** The SHA-256 hashes of signed wrappers with a valid signature. The hash covers all bytes, the signature included. */
  readonly wrappers: Uint8Array
}

const HASH_SIZE = 32
const SIGNATURE_SIZE = 65
const ADDRESS_SIZE = 20
const SIGNED_SIZE = HASH_SIZE + SIGNATURE_SIZE
const RECORD_SIZE = SIGNED_SIZE + ADDRESS_SIZE

/** Number of signers that are remembered while some blocks are checked. The inputs of a transaction often repeat one signature. */
const REMEMBERED = 1024

/** Collects the signatures of transactions in blocks above a height, and the signed wrappers of all blocks. */
export function uncheckedSignatures(blocks: readonly BlockWithWrapper[], above: bigint): UncheckedSignatures {
  const hashes = blocks.flatMap(({ block }) => (block.height > above ? signedHashesOf(block) : []))
  const signed = new Uint8Array(hashes.length * SIGNED_SIZE)
  for (const [i, { hash, signature }] of hashes.entries()) {
    signed.set(hash, i * SIGNED_SIZE)
    signed.set(signature, i * SIGNED_SIZE + HASH_SIZE)
  }
  const wrappers = blocks.flatMap(({ wrapper }) => (wrapper && isSigned(wrapper) ? [wrapper.bytes] : []))
  return { signed, wrappers: concatBytes(...wrappers), wrapperSizes: Uint32Array.from(wrappers, ({ length }) => length) }
}

/** Checks signatures: recovers the signers of transactions, and verifies wrappers. */
export function checkSignatures(
  { signed, wrappers, wrapperSizes }: UncheckedSignatures,
  parse?: ParseCertificate,
): CheckedSignatures {
  return { signers: signersOf(signed), wrappers: validWrappers(wrappers, wrapperSizes, parse) }
}

function signersOf(signed: Uint8Array): Uint8Array {
  const { signer } = recoverCache(secp256k1, REMEMBERED)
  const records = new Uint8Array((signed.length / SIGNED_SIZE) * RECORD_SIZE)
  let end = 0
  for (let at = 0; at < signed.length; at += SIGNED_SIZE) {
    const record = signed.subarray(at, at + SIGNED_SIZE)
    const address = valueOrInvalid(() => signer(record.subarray(0, HASH_SIZE), record.subarray(HASH_SIZE)))
    if (address instanceof Invalid) continue
    records.set(record, end)
    records.set(hexToBytes(address), end + SIGNED_SIZE)
    end += RECORD_SIZE
  }
  return records.slice(0, end)
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

/** Passes signers to a chain, so that the chain does not recover them again. */
export function rememberSigners(chain: Chain, { signers }: CheckedSignatures): void {
  for (let at = 0; at < signers.length; at += RECORD_SIZE) {
    const hash = signers.subarray(at, at + HASH_SIZE)
    const signature = signers.subarray(at + HASH_SIZE, at + SIGNED_SIZE)
    chain.rememberSigner({ hash, signature }, toHex(signers.subarray(at + SIGNED_SIZE, at + RECORD_SIZE)))
  }
}

/** Returns a function that checks whether bytes are a wrapper whose signature was found valid. */
export function verifiedWrappers({ wrappers }: CheckedSignatures): NonNullable<ReadBlockOptions["isVerified"]> {
  const known = new Set<string>()
  for (let at = 0; at < wrappers.length; at += HASH_SIZE) known.add(latin1(wrappers.subarray(at, at + HASH_SIZE)))
  return (bytes) => known.size > 0 && known.has(latin1(sha256(bytes)))
}
