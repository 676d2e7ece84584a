import { type Block, txsOf } from "../blocks/block.js"
import { type Tx, unsignedBytesOf } from "../txs/tx.js"

/** A signature of a transaction, and the hash that it signs. */
export interface SignedHash {
  readonly hash: Uint8Array
  readonly signature: Uint8Array
}

/** The bytes of a transaction that its signatures sign, and the signatures. */
export interface SignedBytes {
  readonly unsigned: Uint8Array
  readonly signatures: readonly Uint8Array[]
}

/** The signatures of a transaction's credentials, in order. */
export function signaturesOf({ credentials }: Tx): Uint8Array[] {
  return credentials.flatMap((credential) => (credential.kind === "Credential" ? credential.signatures : []))
}

/** Returns the signatures of all transactions of a block, whose signers its execution needs. */
export function signedBytesOf(block: Block): SignedBytes[] {
  const all: SignedBytes[] = []
  for (const tx of txsOf(block)) {
    const signatures = signaturesOf(tx)
    if (signatures.length > 0) all.push({ unsigned: unsignedBytesOf(tx), signatures })
  }
  return all
}
