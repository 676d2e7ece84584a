import { type OneOf, oneOf } from "../codec/oneOf.js"
import type { TypeOf } from "../codec/schema.js"
import { secpCredential } from "./credential.js"
import { authInput, lockIn, transferInput } from "./input.js"
import { lockOut, transferOutput } from "./output.js"
import { outputOwners } from "./owners.js"
import { verifiableInterface } from "./registered.js"
import { emptySigner, possessionSigner } from "./signer.js"

/**
 * What may stand, while bytes are read, where AvalancheGo declares "anything that can check itself". Of each place one kind is
 * right; execution refuses the others, at the step where AvalancheGo does.
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

/** Named, so that declarations of what contains it need not spell it out. */
export interface VerifiablePlace extends OneOf<typeof kinds> {}
export type Verifiable = TypeOf<VerifiablePlace>

/** Where a transaction has an authorisation: an `Input`, if it is right. */
export const authPlace: VerifiablePlace = {
  ...oneOf(verifiableInterface("unsupported auth type"), ...kinds),
  jsonSchema: authInput.jsonSchema,
}

/** Where a transaction has a credential: a `Credential`, if it is right. */
export const credentialPlace: VerifiablePlace = {
  ...oneOf(verifiableInterface("wrong credential type"), ...kinds),
  jsonSchema: secpCredential.jsonSchema,
}
