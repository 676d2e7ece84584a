import { list } from "../codec/list.js"
import { oneOf, variant } from "../codec/oneOf.js"
import { fixedBytes } from "../codec/primitives.js"
import type { TypeOf } from "../codec/schema.js"
import { goInterface } from "./registered.js"

/** The size of a recoverable secp256k1 signature: r, s, and v from 0 to 3. */
const SIGNATURE_SIZE = 65

/** The signatures of an input or an authorisation, in the order of its indices. */
export const secpCredential = variant("Credential", 9, { signatures: list(fixedBytes(SIGNATURE_SIZE)) })

/** The signatures that spend an input or prove an authorisation, with their type ID. */
export const credential = oneOf(goInterface("verify.Verifiable"), secpCredential)
/** The signatures that spend an input or prove an authorisation. */
export type Credential = TypeOf<typeof credential>
