import { createHash } from "node:crypto"
import { toHex } from "../../../src/core/lib/bytes.js"
import { Invalid, valueOrInvalid } from "../../../src/core/lib/invalid.js"

/** The facts that AvalancheGo or Serac reads from bytes, by their names. */
export type Facts = Record<string, unknown>

/**
 * Reads bytes of one kind as a node does, and notes the facts. Throws `Invalid` if the bytes are refused; the facts that were noted before
 * remain. `also` is the certificate that some kinds of bytes need.
 */
export type ReadFacts = (facts: Facts, bytes: Uint8Array, also: Uint8Array) => void

export const sha256Text = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** Writes bytes as the judge does: more than 256 bytes as their count and hash. */
export const shortText = (bytes: Uint8Array): string =>
  bytes.length <= 256 ? toHex(bytes) : `${bytes.length} bytes, sha256 ${sha256Text(bytes)}`

/** Returns AvalancheGo's message if the action refuses, and nothing if it does not. */
export function refusalText(action: () => unknown): string {
  const result = valueOrInvalid(action)
  return result instanceof Invalid ? result.steps + result.avalanchegoMessage : ""
}

/** Returns whether the action refuses nothing. */
export const passes = (action: () => unknown): boolean => !(valueOrInvalid(action) instanceof Invalid)
