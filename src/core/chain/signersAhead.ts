import { type Block, txsOf } from "../blocks/block.js"
import type { Crypto } from "../crypto/crypto.js"
import { equalBytes, hexToBytes } from "../lib/bytes.js"
import { type Tx, unsignedBytesOf } from "../txs/tx.js"
import type { ID } from "../types/id.js"

export interface SignedHash {
  readonly txID: ID
  readonly hash: Uint8Array
  readonly signature: Uint8Array
}

/** Threads that recover the signers of blocks before these are executed. */
export interface SignerThreads {
  /** The number of calls that keeps the threads busy. More only take memory. */
  readonly depth: number
  /** Recovers the addresses of signers, in hex. Those that cannot be recovered are missing, and all if a thread died. */
  recover(signed: readonly SignedHash[]): Promise<readonly (string | undefined)[]>
}

export interface SignerCache {
  readonly lastAccepted: { readonly height: bigint }
  readonly rules: { readonly crypto: Pick<Crypto, "sha256Hex"> }
  rememberSigner(txID: ID, signature: Uint8Array, address: string): void
}

export function signaturesOf({ credentials }: Tx): Uint8Array[] {
  return credentials.flatMap((credential) => (credential.kind === "Credential" ? credential.signatures : []))
}

/** Lets threads recover the signers of blocks, and fills the cache of their chain. The chain recovers those that are not in it by itself. */
export async function recoverSignersAhead(threads: SignerThreads, chain: SignerCache, blocks: readonly Block[]): Promise<void> {
  const { height } = chain.lastAccepted
  const { sha256Hex } = chain.rules.crypto
  const txs = blocks.flatMap((block) => (block.height > height ? txsOf(block) : []))
  const signed = txs.flatMap((tx) => signedHashesOf(tx, sha256Hex))
  if (signed.length === 0) return
  const addresses = await threads.recover(signed)
  for (const [i, { txID, signature }] of signed.entries()) {
    const address = addresses[i]
    if (address !== undefined) chain.rememberSigner(txID, signature, address)
  }
}

/** Returns the signatures of a transaction, each once: five inputs of one owner have the same signature five times. */
function signedHashesOf(tx: Tx, sha256Hex: Crypto["sha256Hex"]): SignedHash[] {
  const signatures = signaturesOf(tx)
  if (signatures.length === 0) return []
  const hash = hexToBytes(sha256Hex(unsignedBytesOf(tx)))
  const different = signatures.filter((signature, i) => i === 0 || !equalBytes(signature, signatures[i - 1] as Uint8Array))
  return different.map((signature) => ({ txID: tx.id, hash, signature }))
}
