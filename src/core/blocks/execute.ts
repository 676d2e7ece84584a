import { goTime } from "../lib/goTime.js"
import { within } from "../lib/invalid.js"
import { isActive } from "../networks/upgrades.js"
import { advanceTime, checkNewChainTime, gasOf, sweepLowBalances } from "../rules/chainTime.js"
import { addDimensions, consumeGas, priceOf, toGas } from "../rules/gas.js"
import { chainTimeOf, type Env } from "../rules/run.js"
import { Diff } from "../state/diff.js"
import { TxStatus, tables } from "../state/tables.js"
import type { View } from "../state/view.js"
import { txError } from "../txs/errors.js"
import { complexityOf, type Execution, executeTx, named, proposeTx } from "../txs/execute.js"
import type { Tx } from "../txs/tx.js"
import { type ID, idText } from "../types/id.js"
import type { Block } from "./block.js"
import { blockError } from "./errors.js"

/** What a block does to the state once it is accepted: one future, or two of which an option chooses. */
export type Outcome = Decided | Proposed

export interface Decided {
  readonly kind: "decided"
  readonly diff: Diff
  readonly imports: ReadonlySet<ID>
}

export interface Proposed {
  readonly kind: "proposed"
  /** What holds either way: time, and transactions that needed no decision. None before Banff. */
  readonly decision: Diff | undefined
  readonly commit: Diff
  readonly abort: Diff
  readonly imports: ReadonlySet<ID>
}

/** The block that another builds on. */
export interface Parent {
  readonly id: ID
  readonly height: bigint
  /** The chain's time after it, Unix seconds; of an Apricot proposal, its parent's. */
  readonly timestamp: bigint
  /** The state after it; a proposal has none until it is decided. */
  readonly state: View | undefined
  readonly proposal: Proposed | undefined
}

const NO_IMPORTS: ReadonlySet<ID> = new Set()

/** Executes a block on its parent, and says what it would do. Throws `Invalid` where it breaks a rule. */
export function executeBlock(block: Block, parent: Parent, env: Env): Outcome {
  if (block.kind.startsWith("Apricot") && block.kind !== "ApricotAtomicBlock") checkBeforeBanff(parent, env)
  const expected = parent.height + 1n
  if (block.height !== expected) throw blockError("block.wrong_height", { expected, got: block.height })
  switch (block.kind) {
    case "ApricotCommitBlock":
      return decide(parent, "commit")
    case "ApricotAbortBlock":
      return decide(parent, "abort")
    case "BanffCommitBlock":
      checkOptionTime(goTime(block.time), parent)
      return decide(parent, "commit")
    case "BanffAbortBlock":
      checkOptionTime(goTime(block.time), parent)
      return decide(parent, "abort")
    case "ApricotProposalBlock":
      return propose(block.tx, block.height, stateOf(parent), beforeBanff(env))
    case "BanffProposalBlock":
      return banffProposal(block, parent, env)
    case "ApricotStandardBlock": {
      const diff = new Diff(stateOf(parent))
      return { kind: "decided", diff, ...processTxs(block.txs, block.height, diff, beforeBanff(env)) }
    }
    case "BanffStandardBlock":
      return banffStandard(block, parent, env)
    case "ApricotAtomicBlock":
      return atomic(block.tx, block.height, parent, env)
  }
}

function checkBeforeBanff({ timestamp }: Parent, { upgrades }: Env): void {
  if (isActive(upgrades, "banff", timestamp)) throw blockError("block.apricot_after_banff", { timestamp })
}

function checkOptionTime(time: bigint, { timestamp }: Parent): void {
  if (time !== timestamp) throw blockError("block.option_time", { expected: timestamp, got: time })
}

function stateOf(parent: Parent): View {
  if (!parent.state) throw blockError("block.undecided_parent", { parentID: idText(parent.id) })
  return parent.state
}

function decide(parent: Parent, option: "commit" | "abort"): Decided {
  if (!parent.proposal) throw blockError("block.not_an_option", { parentID: idText(parent.id) })
  return { kind: "decided", diff: parent.proposal[option], imports: NO_IMPORTS }
}

function banffStandard(block: Extract<Block, { kind: "BanffStandardBlock" }>, parent: Parent, env: Env): Decided {
  const { diff, changed, execution } = atTime(goTime(block.time), parent, env)
  const { imports, evicted } = processTxs(block.txs, block.height, diff, execution)
  if (!changed && !evicted && block.txs.length === 0) throw blockError("block.no_changes")
  return { kind: "decided", diff, imports }
}

function banffProposal(block: Extract<Block, { kind: "BanffProposalBlock" }>, parent: Parent, env: Env): Proposed {
  const { diff: decision, execution } = atTime(goTime(block.time), parent, env)
  const { imports } = processTxs(block.txs, block.height, decision, execution)
  return { ...propose(block.tx, block.height, decision, execution), decision, imports }
}

/** The state moved to a block's time, and what its transactions cost there. */
function atTime(time: bigint, parent: Parent, env: Env): { diff: Diff; changed: boolean; execution: Execution } {
  const state = stateOf(parent)
  checkNewChainTime(state, env, time, env.now)
  const diff = new Diff(state)
  const changed = advanceTime(diff, env, time)
  return { diff, changed, execution: executionAt(diff, env) }
}

/** How the transactions of a block run on a state that was moved to the block's time. */
export function executionAt(state: View, env: Env): Execution {
  return { env, price: priceAt(state, env), mayReturn: isActive(env.upgrades, "helicon", chainTimeOf(state)) }
}

/** How transactions run in the blocks before Banff. */
const beforeBanff = (env: Env): Execution => ({ env, price: undefined, mayReturn: false })

/** What a unit of gas costs in this state, nAVAX; `undefined` before Etna. The block's own use does not count yet. */
export function priceAt(state: View, { params, upgrades }: Pick<Env, "params" | "upgrades">): bigint | undefined {
  if (!isActive(upgrades, "etna", chainTimeOf(state))) return undefined
  return priceOf(params.dynamicFee, gasOf(state).excess)
}

function propose(tx: Tx, height: bigint, state: View, execution: Execution): Proposed {
  const commit = new Diff(state)
  const abort = new Diff(state)
  proposeTx(tx, commit, abort, execution)
  recordTx(commit, tx, height, TxStatus.committed)
  recordTx(abort, tx, height, TxStatus.aborted)
  return { kind: "proposed", decision: undefined, commit, abort, imports: NO_IMPORTS }
}

function atomic(tx: Tx, height: bigint, parent: Parent, env: Env): Decided {
  const { timestamp } = parent
  if (isActive(env.upgrades, "apricotPhase5", timestamp)) {
    throw blockError("block.atomic_after_phase_5", { timestamp, phase5: env.upgrades.times.apricotPhase5 })
  }
  const { kind } = tx.unsignedTx
  return named("atomic", tx, () => {
    if (kind !== "ImportTx" && kind !== "ExportTx") throw txError("tx.wrong_place", { kind })
    const diff = new Diff(stateOf(parent))
    const imports = executeTx(tx, diff, beforeBanff(env))
    recordTx(diff, tx, height, TxStatus.committed)
    return { kind: "decided", diff, imports }
  })
}

/** Runs transactions one after the other; each sees what those before it did. Then stops L1 validators that ran dry. */
function processTxs(
  txs: readonly Tx[],
  height: bigint,
  diff: Diff,
  execution: Execution,
): { imports: ReadonlySet<ID>; evicted: boolean } {
  if (execution.price !== undefined) consumeBlockGas(txs, diff, execution.env)
  const imports = new Set<ID>()
  for (const tx of txs) {
    for (const each of executeTx(tx, diff, execution)) {
      if (imports.has(each)) throw blockError("block.conflicting_txs", { utxoID: each })
      imports.add(each)
    }
    recordTx(diff, tx, height, TxStatus.committed)
  }
  return { imports, evicted: sweepLowBalances(diff, execution.env) }
}

/** The gas of a block is that of all its transactions together, and taken before they run. */
function consumeBlockGas(txs: readonly Tx[], diff: Diff, { params }: Env): void {
  const none = { bandwidth: 0n, dbRead: 0n, dbWrite: 0n, compute: 0n }
  const total = addDimensions(none, ...txs.map((tx) => complexityOf(tx.unsignedTx)))
  const gas = within("block gas overflow: ", () => toGas(total, params.dynamicFee.weights))
  diff.put(tables.gas, null, consumeGas(gasOf(diff), gas))
}

function recordTx(diff: Diff, { id, bytes }: Tx, height: bigint, status: number): void {
  diff.put(tables.txs, id, { status, height, bytes })
}
