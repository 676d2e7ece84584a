import { bls } from "../crypto/backends.js"
import type { ProofOfPossession } from "../types/signer.js"

/** How proofs of possession are looked at; see `Env`. */
export interface PossessionContext {
  readonly trustSignatures?: boolean
  verifyPossession?(publicKey: Uint8Array, proof: Uint8Array): void
}

/** Whoever names a BLS key must prove to hold its secret. Throws `crypto.bls_*`. */
export function checkPossession({ publicKey, proofOfPossession }: ProofOfPossession, context: PossessionContext): void {
  if (context.trustSignatures) return
  if (context.verifyPossession) context.verifyPossession(publicKey, proofOfPossession)
  else bls().verifyPossession(publicKey, proofOfPossession)
}
