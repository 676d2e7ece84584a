import type { Crypto } from "../crypto/crypto.js"
import { PRIMARY_NETWORK_ID } from "../types/id.js"
import { checkInnerInput, checkSigners } from "../types/input.js"
import { checkInnerOutput } from "../types/output.js"
import { checkOwner } from "../types/owners.js"
import type { ProofOfPossession } from "../types/signer.js"
import type { MisplacedTx, Verifiable } from "../types/verifiable.js"
import { rulesError } from "./errors.js"

/** Checks the form of an authorisation or credential, and of other kinds of values. */
export function checkVerifiable(value: Verifiable, context: PossessionContext): void {
  const { kind } = value
  if (kind === "Input") checkSigners(value)
  else if (kind === "TransferInput" || kind === "LockIn") checkInnerInput(value)
  else if (kind === "TransferOutput" || kind === "LockOut") checkInnerOutput(value)
  else if (kind === "OutputOwners") checkOwner(value)
  else if (kind === "ProofOfPossession") checkPossession(value, context)
  else if (kind === "MisplacedTx") checkMisplacedTx(value)
  // Credentials and empty signers have nothing to check.
}

/** AvalancheGo checks the validator in such a transaction before it refuses the kind. */
function checkMisplacedTx({ validator }: MisplacedTx): void {
  if (validator.subnetID === PRIMARY_NETWORK_ID) throw rulesError("rules.auth_of_primary_network")
  if (validator.weight === 0n) throw rulesError("rules.auth_without_weight")
}

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
