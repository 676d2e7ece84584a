import { type Block, txsOf } from "../blocks/block.js"
import { sha256 } from "../crypto/hash.js"
import { equalBytes } from "../lib/bytes.js"
import { type Tx, unsignedBytesOf } from "../txs/tx.js"

/** A signature of a transaction, and the hash that it signs. */
export interface SignedHash {
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

/** A chain with a cache of signers. */
export interface SignerCache {
  readonly lastAccepted: { readonly height: bigint }
  rememberSigner(signed: SignedHash, address: string): void
}

/** The signatures of a transaction's credentials, in order. */
export function signaturesOf({ credentials }: Tx): Uint8Array[] {
  return credentials.flatMap((credential) => (credential.kind === "Credential" ? credential.signatures : []))
}

/** Lets threads recover the signers of blocks, and fills the cache of their chain. The chain recovers those that are not in it by itself. */
export async function recoverSignersAhead(threads: SignerThreads, chain: SignerCache, blocks: readonly Block[]): Promise<void> {
  const { height } = chain.lastAccepted
  const signed = blocks.flatMap((block) => (block.height > height ? txsOf(block).flatMap(signedHashesOf) : []))
  if (signed.length === 0) return
  for (const [i, address] of (await threads.recover(signed)).entries()) {
    if (address !== undefined) chain.rememberSigner(signed[i] as SignedHash, address)
  }
}

/** Returns the signatures of a transaction, each once: five inputs of one owner have the same signature five times. */
function signedHashesOf(tx: Tx): SignedHash[] {
  const signatures = signaturesOf(tx)
  if (signatures.length === 0) return []
  const hash = sha256(unsignedBytesOf(tx))
  const different = signatures.filter((signature, i) => i === 0 || !equalBytes(signature, signatures[i - 1] as Uint8Array))
  return different.map((signature) => ({ hash, signature }))
}
