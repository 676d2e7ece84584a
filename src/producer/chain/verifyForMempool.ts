import type { AdmissionContext, TxAdmission } from "../../core/chain/admission.js"
import type { BuildContext } from "../../core/chain/builder.js"
import { verifyWithPauses } from "../../core/chain/verifyWithPauses.js"
import type { ChargedPace } from "../../core/lib/pace.js"
import { gasOf } from "../../core/rules/chainTime.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { Tx } from "../../core/txs/tx.js"

/**
 * Verifies a transaction for the mempool of a private chain. Unlike in AvalancheGo, a transaction may wait for gas; it is refused for its
 * gas only if no block could ever hold it.
 */
export function verifyForMempool(tx: Tx, contextNow: () => BuildContext, pace: ChargedPace): Promise<TxAdmission> {
  return verifyWithPauses(tx, () => admissionContext(contextNow()), pace)
}

function admissionContext({ blockContext, state, pChainHeight }: BuildContext): AdmissionContext {
  const preferred = new Diff(state)
  preferred.put(tables.gas, null, { ...gasOf(preferred), capacity: blockContext.params.dynamicFee.maxCapacity })
  return { blockContext, preferred, pChainHeight }
}
