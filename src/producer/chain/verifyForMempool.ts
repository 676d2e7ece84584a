import type { TxAdmission } from "../../core/chain/admission.js"
import { admissionWork } from "../../core/chain/admissionWork.js"
import type { BuildContext } from "../../core/chain/builder.js"
import type { Work } from "../../core/lib/work.js"
import { gasOf } from "../../core/rules/chainTime.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import type { Tx } from "../../core/txs/tx.js"

/**
 * Verifies a transaction for the mempool of a private chain. Unlike in AvalancheGo, a transaction may wait for gas; it is refused for its
 * gas only if no block could ever hold it.
 */
export function verifyForMempool(tx: Tx, { blockContext, state, pChainHeight }: BuildContext): Work<TxAdmission> {
  const preferred = new Diff(state)
  preferred.put(tables.gas, null, { ...gasOf(preferred), capacity: blockContext.params.dynamicFee.maxCapacity })
  return admissionWork(tx, { blockContext, preferred, pChainHeight })
}
