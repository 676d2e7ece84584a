import { Invalid } from "../lib/invalid.js"
import type { ChargedPace } from "../lib/pace.js"
import type { Tx } from "../txs/tx.js"
import type { TxAdmission } from "./admission.js"
import type { Mempool } from "./mempool.js"

/** A mempool with the verification of its transactions. */
export interface AdmissionTarget {
  /** Returns the present mempool. It may be replaced while a transaction is verified. */
  pool(): Mempool
  /** Verifies a transaction for the next block. */
  verify(tx: Tx, pace: ChargedPace): Promise<TxAdmission>
  /** Remembers why a transaction was refused. */
  drop(tx: Tx, error: Invalid, reason: string): void
}

/**
 * Adds an issued transaction to the mempool if it is valid now. A waiting transaction stays, and a refused one is refused again without
 * verification. Throws `Invalid` with AvalancheGo's text for the issuer.
 */
export async function admitTx(target: AdmissionTarget, tx: Tx, pace: ChargedPace): Promise<void> {
  if (target.pool().has(tx.id)) return
  const drop = target.pool().dropOf(tx.id)
  if (drop) throw withText(drop.error, drop.reason)
  await verifyAndAdd(target, tx, pace)
}

/** Verifies a transaction, also one that was refused before, and adds it to the mempool. A refusal is remembered and thrown. */
export async function verifyAndAdd(target: AdmissionTarget, tx: Tx, pace: ChargedPace): Promise<void> {
  const admission = await target.verify(tx, pace)
  if (!admission.ok) {
    target.drop(tx, admission.error, admission.reason)
    throw withText(admission.error, admission.answer)
  }
  // The same transaction may have been added while its proofs were verified.
  if (target.pool().has(tx.id)) return
  try {
    target.pool().add(tx, admission)
  } catch (error) {
    if (error instanceof Invalid) target.drop(tx, error, error.avalanchegoMessage)
    throw error
  }
}

/** Returns the same refusal with another text of AvalancheGo. */
export function withText(error: Invalid, avalanchegoMessage: string): Invalid {
  return new Invalid(error.code, { sentence: error.sentence, avalanchegoMessage }, error.data)
}
