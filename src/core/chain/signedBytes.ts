import { type Block, txsOf } from "../blocks/block.js"
import { sha256 } from "../crypto/hash.js"
import { type Tx, unsignedBytesOf } from "../txs/tx.js"

/** A signature of a transaction, and the hash that it signs. */
export interface SignedHash {
  readonly hash: Uint8Array
  readonly signature: Uint8Array
}

/** The signatures of a transaction's credentials, in order. */
export function signaturesOf({ credentials }: Tx): Uint8Array[] {
  return credentials.flatMap((credential) => (credential.kind === "Credential" ? credential.signatures : []))
}

/** Returns the signatures of all transactions of a block, whose signers its execution needs. */
export function signedHashesOf(block: Block): SignedHash[] {
  return txsOf(block).flatMap((tx) => {
    const signatures = signaturesOf(tx)
    if (signatures.length === 0) return []
    const hash = sha256(unsignedBytesOf(tx))
    return signatures.map((signature) => ({ hash, signature }))
  })
}
