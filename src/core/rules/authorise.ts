import { Invalid } from "../lib/invalid.js"
import { type Address, shortIDText } from "../types/address.js"
import type { Credential } from "../types/credential.js"
import type { Verifiable } from "../types/verifiable.js"
import type { TxContext } from "./context.js"
import { rulesError } from "./errors.js"

/** Owners who may act: a threshold of these addresses, from a time on. */
export interface Owners {
  /** Unix seconds; 0 by default. */
  readonly locktime?: bigint
  readonly threshold: number
  readonly addresses: readonly Address[]
}

/** Checks that a credential satisfies these owners: the right number of signatures, each by the named address. */
export function verifyCredential(context: TxContext, owners: Owners, indices: readonly number[], credential: Verifiable): void {
  const { signatures } = requireCredential(credential)
  const { now, trustSignatures, isImpersonated } = context.blockContext
  const { locktime = 0n, threshold, addresses } = owners
  if (locktime > now) throw rulesError("rules.time_locked", { locktime, now }).dependingOn("clock")
  if (indices.length < threshold) throw rulesError("rules.too_few_signers", { expected: threshold, got: indices.length })
  if (indices.length > threshold) throw rulesError("rules.too_many_signers", { expected: threshold, got: indices.length })
  if (signatures.length !== indices.length) {
    throw rulesError("rules.signature_count", { expected: indices.length, got: signatures.length })
  }
  if (trustSignatures) return
  for (const [i, index] of indices.entries()) {
    const expected = addresses[index]
    if (expected === undefined) throw rulesError("rules.no_such_address", { index, addresses: addresses.length })
    if (isImpersonated?.(expected)) continue
    const signer = context.blockContext.signerOf(context.txID, signatures[i] as Uint8Array, context.signingHash) as Address
    if (signer !== expected) {
      throw rulesError("rules.wrong_signature", { expected: shortIDText(expected), got: shortIDText(signer) })
    }
  }
}

/** Returns the credential. Throws `rules.wrong_credential_type` for a value of another kind. */
export function requireCredential(credential: Verifiable): Credential {
  if (credential.kind !== "Credential") throw rulesError("rules.wrong_credential_type", { got: credential.kind })
  return credential
}

/**
 * Checks that the last credential acts for these owners, and returns the other credentials, which belong to the inputs. Throws
 * `rules.no_credential` and `rules.unauthorized`.
 */
export function authorise(context: TxContext, owners: Owners, auth: Verifiable): readonly Verifiable[] {
  const last = context.credentials.at(-1)
  if (!last) throw rulesError("rules.no_credential")
  try {
    if (auth.kind !== "Input") throw rulesError("rules.wrong_auth_type", { got: auth.kind })
    verifyCredential(context, owners, auth.signatureIndices, last)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const data = { code: error.code, reason: error.avalanchegoMessage, ...error.data }
    throw rulesError("rules.unauthorized", data).dependingOn(error.dependsOn)
  }
  return context.credentials.slice(0, -1)
}
