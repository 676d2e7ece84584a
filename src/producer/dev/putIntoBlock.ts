import type { Tx } from "../../core/txs/tx.js"
import { idText } from "../../core/types/id.js"
import { producerError } from "../errors.js"
import type { ChainTurn } from "../turn/chainTurn.js"

/**
 * Makes a block with one transaction of the node's own. If there is not enough gas, the transaction waits in the mempool, or is refused if
 * the clock is frozen. Throws the reason of a refusal.
 */
export async function putIntoBlock(chain: ChainTurn, tx: Tx): Promise<void> {
  const { packed, dropped, isShortOfGas } = await chain.extend([tx])
  if (dropped[0]) throw dropped[0].error
  if (isShortOfGas && chain.isFrozen) throw producerError("producer.frozen_without_gas", { txID: idText(tx.id) })
  if (packed.length === 0) await chain.admit(tx)
}
