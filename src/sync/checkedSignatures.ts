import type { Chain } from "../core/chain/chain.js"
import { type SignedHash, signedHashesOf } from "../core/chain/signedHashes.js"
import { secp256k1 } from "../core/crypto/backends.js"
import type { ParseCertificate } from "../core/crypto/certificate.js"
import { sha256 } from "../core/crypto/hash.js"
import { recoverCache } from "../core/crypto/recoverCache.js"
import { concatBytes, hexToBytes, latin1, toHex } from "../core/lib/bytes.js"
import { Invalid, valueOrInvalid } from "../core/lib/invalid.js"
import { isSigned, type ReadBlockOptions, readBlock } from "./blockEntry.js"

/** Valid signatures of blocks, in a form that is cheap to pass from thread to thread. An invalid signature is in neither list. */
export interface CheckedSignatures {
  /** One record after the other: the hash that was signed, the signature, and the address of the signer. */
  readonly signers: Uint8Array
  /** The SHA-256 hashes of blocks in signed wrappers with a valid signature. The hash covers all bytes, the signature included. */
  readonly wrappers: Uint8Array
}

const HASH_SIZE = 32
const SIGNATURE_SIZE = 65
const ADDRESS_SIZE = 20
const RECORD_SIZE = HASH_SIZE + SIGNATURE_SIZE + ADDRESS_SIZE

/** Number of signers that are remembered while some blocks are checked. The inputs of a transaction often repeat one signature. */
const REMEMBERED = 1024

/**
 * Checks the signatures of blocks: recovers the signers of transactions in blocks above a height, and verifies wrappers. Blocks that do not
 * decode are passed over, since their execution refuses them.
 */
export function checkSignatures(blocks: readonly Uint8Array[], above: bigint, parse?: ParseCertificate): CheckedSignatures {
  const { signer } = recoverCache(secp256k1, REMEMBERED)
  const records: (SignedHash & { readonly address: string })[] = []
  const wrappers: Uint8Array[] = []
  for (const bytes of blocks) {
    const read = valueOrInvalid(() => readBlock(bytes, { parse }))
    if (read instanceof Invalid) continue
    if (read.wrapper && isSigned(read.wrapper)) wrappers.push(sha256(bytes))
    for (const { hash, signature } of read.block.height > above ? signedHashesOf(read.block) : []) {
      const address = valueOrInvalid(() => signer(hash, signature))
      if (!(address instanceof Invalid)) records.push({ hash, signature, address })
    }
  }
  return { signers: packed(records), wrappers: concatBytes(...wrappers) }
}

function packed(records: readonly (SignedHash & { readonly address: string })[]): Uint8Array {
  const bytes = new Uint8Array(records.length * RECORD_SIZE)
  for (const [i, { hash, signature, address }] of records.entries()) {
    bytes.set(hash, i * RECORD_SIZE)
    bytes.set(signature, i * RECORD_SIZE + HASH_SIZE)
    bytes.set(hexToBytes(address), i * RECORD_SIZE + HASH_SIZE + SIGNATURE_SIZE)
  }
  return bytes
}

/** Passes signers to a chain, so that the chain does not recover them again. */
export function rememberSigners(chain: Chain, { signers }: CheckedSignatures): void {
  for (let at = 0; at < signers.length; at += RECORD_SIZE) {
    const hash = signers.subarray(at, at + HASH_SIZE)
    const signature = signers.subarray(at + HASH_SIZE, at + HASH_SIZE + SIGNATURE_SIZE)
    chain.rememberSigner({ hash, signature }, toHex(signers.subarray(at + HASH_SIZE + SIGNATURE_SIZE, at + RECORD_SIZE)))
  }
}

/** Returns a function that checks whether bytes are a wrapper whose signature was found valid. */
export function verifiedWrappers({ wrappers }: CheckedSignatures): NonNullable<ReadBlockOptions["isVerified"]> {
  const known = new Set<string>()
  for (let at = 0; at < wrappers.length; at += HASH_SIZE) known.add(latin1(wrappers.subarray(at, at + HASH_SIZE)))
  return (bytes) => known.size > 0 && known.has(latin1(sha256(bytes)))
}
