import { type AdmissionContext, verifyForAdmission } from "../../src/core/chain/admission.js"
import type { Chain } from "../../src/core/chain/chain.js"
import { unmarshalText } from "../../src/core/codec/errors.js"
import { Invalid } from "../../src/core/lib/invalid.js"
import { decodeTx, type Tx } from "../../src/core/txs/tx.js"
import { fromHexText } from "../../src/core/types/hexText.js"

/** The context in which a transaction is verified at a moment of the clock (Unix seconds), on the last accepted state. */
export function contextOf(chain: Chain, now: bigint, pChainHeight = chain.lastAccepted.height): AdmissionContext {
  return { blockContext: chain.blockContextAt(now), preferred: chain.state, pChainHeight }
}

/** Reads a transaction as strictly as issueTx does, or returns the error. */
export function readTx(text: string): { tx: Tx } | { refused: Verdict & { ok: false } } {
  let step = "problem decoding transaction: "
  try {
    const bytes = fromHexText(text)
    step = "couldn't parse tx: couldn't parse tx: "
    return { tx: decodeTx(bytes) }
  } catch (error) {
    if (error instanceof Invalid) return { refused: { ok: false, error, text: step + unmarshalText(error) } }
    throw error
  }
}

/** Returns the verdict of our admission rules on a transaction, with an empty mempool. */
export function admissionOf(text: string, context: AdmissionContext): Verdict {
  const read = readTx(text)
  return "refused" in read ? read.refused : verifyForAdmission(read.tx, context)
}

/** The result of a transaction, and the text of issueTx if the transaction could not be decoded. */
export type Verdict = { ok: true } | { ok: false; error: Invalid; answer?: string; text?: string }

/** The text of issueTx for a refusal. */
export const answerOf = (verdict: Verdict) => (verdict.ok ? "none" : (verdict.text ?? `couldn't issue tx: ${verdict.answer}`))

export const reasonOf = (verdict: Verdict) => (verdict.ok ? "none" : verdict.error.avalanchegoMessage)
