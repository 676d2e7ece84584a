import type { Verifiable } from "../types/verifiable.js"
import type { UnsignedTx } from "./unsignedTx.js"

/** The members in which a transaction names the signers of its last credential. A kind has at most one of them. */
const MEMBERS = ["subnetAuthorization", "disableAuthorization", "auth"] as const

/** Returns the member in which a transaction names the signers of its last credential; `undefined` if only its inputs are signed for. */
export function authorisationMember(tx: UnsignedTx): (typeof MEMBERS)[number] | undefined {
  return MEMBERS.find((member) => member in tx)
}

/** Returns the proof of the right to act for a subnet or a validator, which its last credential signs; `undefined` if it needs none. */
export function authorisationOf(tx: UnsignedTx): Verifiable | undefined {
  const member = authorisationMember(tx)
  return member && ((tx as UnsignedTx & { readonly [name: string]: unknown })[member] as Verifiable)
}
