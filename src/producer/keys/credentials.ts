import { encode } from "../../core/codec/decode.js"
import { sha256 } from "../../core/crypto/hash.js"
import { amountsOf } from "../../core/txs/amounts.js"
import { authorisationOf } from "../../core/txs/authorisation.js"
import { signedTxOf, type Tx } from "../../core/txs/tx.js"
import { topLevelUnsignedTx, type UnsignedTx } from "../../core/txs/unsignedTx.js"
import { unlockedInput } from "../../core/types/input.js"
import { secp256k1 } from "../../platform/backends.js"
import type { SigningKey } from "./key.js"

/** Returns the number of signatures of each credential of a transaction: those of its inputs, and last that of its authorisation. */
function signatureCounts(unsigned: UnsignedTx): number[] {
  const counts = amountsOf(unsigned).inputs.map(({ input }) => unlockedInput(input).signatureIndices.length)
  const auth = authorisationOf(unsigned)
  if (auth) counts.push(auth.kind === "Input" ? auth.signatureIndices.length : 0)
  return counts
}

/** Returns a transaction with this signature in every place. */
function signedWith(unsigned: UnsignedTx, signature: Uint8Array): Tx {
  const credentials = signatureCounts(unsigned).map((count) => ({
    kind: "Credential" as const,
    signatures: Array.from({ length: count }, () => signature),
  }))
  return signedTxOf(unsigned, credentials)
}

/** Signs a transaction whose signatures all come from one key. */
export function signTx(unsigned: UnsignedTx, { secret }: SigningKey): Tx {
  return signedWith(unsigned, secp256k1().sign(sha256(encode(topLevelUnsignedTx, unsigned)), secret))
}

/** Returns a transaction with the right number of signatures, all of them empty. */
export function blankTx(unsigned: UnsignedTx): Tx {
  return signedWith(unsigned, new Uint8Array(65))
}
