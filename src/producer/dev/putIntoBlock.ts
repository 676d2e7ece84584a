import type { Tx } from "../../core/txs/tx.js"
import { type ID, idText } from "../../core/types/id.js"
import { producerError } from "../errors.js"
import type { Payment } from "../funds/payment.js"
import type { ChainTurn } from "../turn/chainTurn.js"

/**
 * Makes a block with one transaction of the node's own. If there is not enough gas, the clock is moved until there is, or the transaction is
 * refused if the clock is frozen. Throws the reason of a refusal.
 */
export async function putIntoBlock(chain: ChainTurn, tx: Tx): Promise<void> {
  const { packed, dropped, isShortOfGas } = await chain.extend([tx])
  if (dropped[0]) throw dropped[0].error
  if (isShortOfGas && chain.isFrozen) throw producerError("producer.frozen_without_gas", { txID: idText(tx.id) })
  if (packed.length === 0) await putIntoBlocks(chain, [tx])
}

/**
 * The maximum number of transactions in a block. A whole block is verified in one step, during which other work waits. The number is fixed,
 * so that IDs are reproducible.
 */
const TXS_PER_BLOCK = 16

/**
 * Puts transactions into as many blocks as they need. If gas is short, the clock is moved until there is enough. Returns the seconds by
 * which it was moved. Throws the reason of a refusal.
 */
export async function putIntoBlocks(chain: ChainTurn, txs: readonly Tx[]): Promise<bigint> {
  let left = txs
  let moved = 0n
  while (left.length > 0) {
    chain.requireRunning()
    const { packed, dropped, gasReadyInSeconds } = await chain.extend(left.slice(0, TXS_PER_BLOCK))
    if (dropped[0]) throw dropped[0].error
    left = left.slice(packed.length)
    if (chain.pace.isDue) await chain.pace.pause()
    if (packed.length > 0) continue
    const seconds = gasReadyInSeconds ?? 1n
    await moveClockForGas(chain, seconds)
    moved += seconds
  }
  return moved
}

/** A transaction of the treasury that a block has accepted. */
export interface TreasuryTx {
  readonly txID: ID
  /** The seconds by which the clock was moved until gas was available. */
  readonly seconds: bigint
}

/** Issues a transaction that the treasury signs and pays. Throws the reason of a refusal. */
export async function issueFromTreasury(chain: ChainTurn, payment: Payment): Promise<TreasuryTx> {
  const purse = chain.treasury.purse(chain.written(), chain.now())
  const tx = purse.pay(payment, chain.treasury.price(chain.now()))
  return { txID: tx.id, seconds: await putIntoBlocks(chain, [tx]) }
}

/** Moves the clock forward until there is gas again, and makes the blocks that are due on the way. */
export async function moveClockForGas(chain: ChainTurn, seconds: bigint): Promise<void> {
  const until = chain.now() + seconds
  await chain.produceDueBlocks(until, { movesClock: true, includesMempool: false })
  chain.moveClock(until)
  chain.log.info("clock moved until gas is back", { seconds })
}
