import { type OneOf, oneOf } from "../codec/oneOf.js"
import type { TypeOf } from "../codec/schema.js"
import { secpCredential } from "./credential.js"
import { authInput, lockIn, transferInput } from "./input.js"
import { lockOut, transferOutput } from "./output.js"
import { outputOwners } from "./owners.js"
import { verifiableInterface } from "./registered.js"
import { emptySigner, possessionSigner } from "./signer.js"

/**
 * Types that can be read where AvalancheGo declares the interface `verify.Verifiable`. Each place needs one of these kinds; execution
 * refuses the others, at the same step as AvalancheGo.
 */
const kinds = [
  transferInput,
  transferOutput,
  secpCredential,
  authInput,
  outputOwners,
  lockIn,
  lockOut,
  emptySigner,
  possessionSigner,
] as const

/** The type has a name, so that declarations that contain it need not repeat it. */
export interface VerifiablePlace extends OneOf<typeof kinds> {}
export type Verifiable = TypeOf<VerifiablePlace>

/** The codec of an authorisation in a transaction, which must be an `Input`. */
export const authPlace: VerifiablePlace = {
  ...oneOf(verifiableInterface("unsupported auth type"), ...kinds),
  jsonSchema: authInput.jsonSchema,
}

/** The codec of a credential in a transaction, which must be a `Credential`. */
export const credentialPlace: VerifiablePlace = {
  ...oneOf(verifiableInterface("wrong credential type"), ...kinds),
  jsonSchema: secpCredential.jsonSchema,
}
