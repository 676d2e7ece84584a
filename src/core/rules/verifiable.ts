import { checkInnerInput, checkSigners } from "../types/input.js"
import { checkInnerOutput } from "../types/output.js"
import { checkOwner } from "../types/owners.js"
import type { Verifiable } from "../types/verifiable.js"
import { checkPossession, type PossessionContext } from "./possession.js"

/** Checks the form of an authorisation or credential, and of other kinds of values. */
export function checkVerifiable(value: Verifiable, context: PossessionContext): void {
  const { kind } = value
  if (kind === "Input") checkSigners(value)
  else if (kind === "TransferInput" || kind === "LockIn") checkInnerInput(value)
  else if (kind === "TransferOutput" || kind === "LockOut") checkInnerOutput(value)
  else if (kind === "OutputOwners") checkOwner(value)
  else if (kind === "ProofOfPossession") checkPossession(value, context)
  // Credentials and empty signers have nothing to check.
}
