import { goTime } from "../lib/go/goTime.js"
import { withStep } from "../lib/invalid.js"
import { isActive } from "../networks/upgrades.js"
import { advanceChainTime, checkNewChainTime, gasOf, sweepLowBalances } from "../rules/chainTime.js"
import { type BlockContext, chainTimeOf } from "../rules/context.js"
import { addDimensions, consumeGas, priceOf, toGas } from "../rules/gas.js"
import { Diff } from "../state/diff.js"
import { TxStatus, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { complexityOf, type Execution, executeTx, proposeTx } from "../txs/execute.js"
import type { Tx } from "../txs/tx.js"
import { type ID, idText } from "../types/id.js"
import type { DecidedOutcome, Parent, ProposalOutcome } from "./defineBlock.js"
import { blockError } from "./errors.js"

const NO_IMPORTS: ReadonlySet<ID> = new Set()

/** Returns the state after the parent. Throws `block.undecided_parent` if it is a proposal. */
export function requireState(parent: Parent): View {
  if (!parent.state) throw blockError("block.undecided_parent", { parentID: idText(parent.id) })
  return parent.state
}

/** Chooses one of the two diffs of the parent's proposal. Throws `block.not_an_option` if the parent proposes nothing. */
export function decide(parent: Parent, option: "commit" | "abort"): DecidedOutcome {
  if (!parent.proposal) throw blockError("block.not_an_option", { parentID: idText(parent.id) })
  return { kind: "decided", diff: parent.proposal[option], imports: NO_IMPORTS }
}

/** Throws `block.option_time` if an option does not repeat the time of its proposal. */
export function checkOptionTime(time: bigint, { timestamp }: Parent): void {
  const got = goTime(time)
  if (got !== timestamp) throw blockError("block.option_time", { expected: timestamp, got })
}

/** Advances the parent's state to a block's time, and returns the context in which its transactions are executed. */
export function atBlockTime(
  time: bigint,
  parent: Parent,
  blockContext: BlockContext,
): { diff: Diff; changed: boolean; execution: Execution } {
  const state = requireState(parent)
  const to = goTime(time)
  checkNewChainTime(state, blockContext, to, blockContext.now)
  const diff = new Diff(state)
  const changed = advanceChainTime(diff, blockContext, to)
  return { diff, changed, execution: executionAt(diff, blockContext) }
}

/** Returns the context in which the transactions of a block are executed, on a state that was advanced to the block's time. */
export function executionAt(state: View, blockContext: BlockContext): Execution {
  return {
    blockContext,
    price: priceAt(state, blockContext),
    mayReturn: isActive(blockContext.upgrades, "helicon", chainTimeOf(state)),
  }
}

/** Returns the context in which transactions are executed in the blocks before Banff. */
export const executionBeforeBanff = (blockContext: BlockContext): Execution => ({
  blockContext,
  price: undefined,
  mayReturn: false,
})

/** Returns the price of a unit of gas in this state, nAVAX, before the block's own use of gas; `undefined` before Etna. */
export function priceAt(state: View, { params, upgrades }: Pick<BlockContext, "params" | "upgrades">): bigint | undefined {
  if (!isActive(upgrades, "etna", chainTimeOf(state))) return undefined
  return priceOf(params.dynamicFee, gasOf(state).excess)
}

/** Executes a transaction as a proposal with two outcomes. */
export function propose(tx: Tx, height: bigint, state: View, execution: Execution): ProposalOutcome {
  const commit = new Diff(state)
  const abort = new Diff(state)
  proposeTx(tx, commit, abort, execution)
  recordTx(commit, tx, height, TxStatus.committed)
  recordTx(abort, tx, height, TxStatus.aborted)
  return { kind: "proposed", decision: undefined, commit, abort, imports: NO_IMPORTS }
}

/** Executes transactions in order, each on the changes of those before it. Then deactivates L1 validators whose balance is used up. */
export function processTxs(
  txs: readonly Tx[],
  height: bigint,
  diff: Diff,
  execution: Execution,
): { imports: ReadonlySet<ID>; evicted: boolean } {
  if (execution.price !== undefined) consumeBlockGas(txs, diff, execution.blockContext)
  const imports = new Set<ID>()
  for (const tx of txs) {
    for (const each of executeTx(tx, diff, execution)) {
      if (imports.has(each)) throw blockError("block.conflicting_txs", { utxoID: idText(each) })
      imports.add(each)
    }
    recordTx(diff, tx, height, TxStatus.committed)
  }
  return { imports, evicted: sweepLowBalances(diff, execution.blockContext) }
}

/** Consumes the gas of all transactions of a block together, before they are executed. */
function consumeBlockGas(txs: readonly Tx[], diff: Diff, { params }: BlockContext): void {
  const none = { bandwidth: 0n, dbRead: 0n, dbWrite: 0n, compute: 0n }
  const total = addDimensions(none, ...txs.map((tx) => complexityOf(tx.unsignedTx)))
  const gas = withStep("block gas overflow: ", () => toGas(total, params.dynamicFee.weights))
  diff.put(tables.gas, null, consumeGas(gasOf(diff), gas))
}

/** Writes an accepted transaction's row. */
export function recordTx(diff: Diff, { id, bytes }: Tx, height: bigint, status: number): void {
  diff.put(tables.txs, id, { status, height, bytes })
}
