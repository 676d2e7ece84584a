import { admissionWork } from "../../core/chain/admissionWork.js"
import type { BuildContext } from "../../core/chain/builder.js"
import type { Mempool } from "../../core/chain/mempool.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Work } from "../../core/lib/work.js"
import { gasOf } from "../../core/rules/chainTime.js"
import type { Rules } from "../../core/rules/context.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { Tx } from "../../core/txs/tx.js"

/** The mempool, and the context in which its transactions are verified. */
export interface AdmissionTarget {
  readonly rules: Rules
  readonly pool: Mempool
  contextAt(now: bigint): BuildContext
  drop(tx: Pick<Tx, "id">, error: Invalid, reason?: string): void
}

/**
 * Adds a transaction to the mempool if it is valid now. Unlike in AvalancheGo, a transaction may wait for gas; it is refused for its gas
 * only if no block could ever hold it. The refusal is remembered, except for that of a full mempool, because a later attempt may succeed.
 * Throws `Invalid` with AvalancheGo's text for the issuer.
 */
export function* admitTx(target: AdmissionTarget, tx: Tx, now: bigint): Work<void> {
  const { pool, rules } = target
  if (pool.has(tx.id)) return
  const drop = pool.dropOf(tx.id)
  if (drop) throw withText(drop.error, drop.reason)
  const { blockContext, state, pChainHeight } = target.contextAt(now)
  const preferred = new Diff(state)
  preferred.put(tables.gas, null, { ...gasOf(preferred), capacity: rules.params.dynamicFee.maxCapacity })
  const admission = yield* admissionWork(tx, { blockContext, preferred, pChainHeight })
  if (!admission.ok) {
    target.drop(tx, admission.error, admission.reason)
    throw withText(admission.error, admission.answer)
  }
  // The same transaction may have been added while its proofs were verified.
  if (pool.has(tx.id)) return
  try {
    pool.add(tx, admission)
  } catch (error) {
    if (error instanceof Invalid && error.code !== "chain.pool_full") target.drop(tx, error)
    throw error
  }
}

/** Returns the same refusal with another text of AvalancheGo. */
export function withText(error: Invalid, avalanchegoMessage: string): Invalid {
  return new Invalid(error.code, { sentence: error.sentence, avalanchegoMessage }, error.data)
}
