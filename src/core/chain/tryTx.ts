import { type Invalid, valueOrInvalid } from "../lib/invalid.js"
import type { BlockContext } from "../rules/context.js"
import { verifyWarpMessage } from "../rules/warp.js"
import type { Diff } from "../state/diff.js"
import { type Execution, executeTx, warpMessageOf } from "../txs/execute.js"
import type { Tx } from "../txs/tx.js"
import type { ID } from "../types/id.js"

/** Verifies the Warp message of a transaction, if it has one, at a P-Chain height. Throws `Invalid`. */
export function verifyWarpOf({ unsignedTx }: Tx, blockContext: BlockContext, pChainHeight: bigint): void {
  const message = warpMessageOf(unsignedTx)
  if (message) verifyWarpMessage(message, { ...blockContext, pChainHeight })
}

/**
 * Executes a transaction on a diff as a block does: it verifies its Warp message first. Returns the refusal, or the IDs of the imported
 * UTXOs. The diff of a refused transaction must be dropped.
 */
export function tryTx(tx: Tx, diff: Diff, execution: Execution, pChainHeight: bigint): Invalid | ReadonlySet<ID> {
  return valueOrInvalid(() => {
    verifyWarpOf(tx, execution.blockContext, pChainHeight)
    return executeTx(tx, diff, execution)
  })
}
