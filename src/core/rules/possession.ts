import type { Crypto } from "../crypto/crypto.js"
import type { ProofOfPossession } from "../types/signer.js"

/** Ways to verify proofs of possession, see `BlockContext`. */
export interface PossessionContext {
  readonly crypto: Crypto
  readonly trustSignatures?: boolean
  readonly verifyPossession?: ((publicKey: Uint8Array, proof: Uint8Array) => void) | undefined
}

/** Verifies that the owner of a BLS key has its secret. Throws `crypto.bls_*`. */
export function checkPossession({ publicKey, proofOfPossession }: ProofOfPossession, context: PossessionContext): void {
  if (context.trustSignatures) return
  if (context.verifyPossession) context.verifyPossession(publicKey, proofOfPossession)
  else context.crypto.bls.verifyPossession(publicKey, proofOfPossession)
}
