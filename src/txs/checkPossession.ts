import { bls } from "../crypto/backends.js"
import type { ProofOfPossession } from "../types/signer.js"
import type { CheckContext } from "./base.js"

/** Whoever names a BLS key must prove to hold its secret. Throws `crypto.bls_*`. */
export function checkPossession({ publicKey, proofOfPossession }: ProofOfPossession, context: CheckContext): void {
  if (context.trustSignatures) return
  if (context.verifyPossession) context.verifyPossession(publicKey, proofOfPossession)
  else bls().verifyPossession(publicKey, proofOfPossession)
}
