import { bls } from "../crypto/backends.js"
import type { ProofOfPossession } from "../types/signer.js"
import type { CheckContext } from "./base.js"

/** Whoever names a BLS key must prove to hold its secret. Throws `crypto.bls_*`. */
export function checkPossession({ publicKey, proofOfPossession }: ProofOfPossession, { trustSignatures }: CheckContext): void {
  if (!trustSignatures) bls().verifyPossession(publicKey, proofOfPossession)
}
