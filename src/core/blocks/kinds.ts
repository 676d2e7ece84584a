import { list } from "../codec/list.js"
import { u64 } from "../codec/primitives.js"
import { isActive } from "../networks/upgrades.js"
import { Diff } from "../state/diff.js"
import { TxStatus } from "../state/tables.js"
import { txError } from "../txs/errors.js"
import { executeTx, withTxStep } from "../txs/execute.js"
import { tx } from "../txs/tx.js"
import { commonFields, defineBlock, type Parent } from "./defineBlock.js"
import { blockError } from "./errors.js"
import {
  atBlockTime,
  checkOptionTime,
  decide,
  executionBeforeBanff,
  processTxs,
  propose,
  recordTx,
  requireState,
} from "./steps.js"

/** Proposes one transaction; a commit or abort block decides on it. Until Banff. */
const apricotProposalBlock = defineBlock({
  kind: "ApricotProposalBlock",
  typeID: 0,
  fields: { ...commonFields, tx },
  until: "banff",
  txs: (block) => [block.tx],
  execute: (block, parent, blockContext) =>
    propose(block.tx, block.height, requireState(parent), executionBeforeBanff(blockContext)),
})

/** Decides for or against its parent's proposal. Until Banff; the genesis block is one that commits. */
function apricotOption<const K extends string>(kind: K, typeID: number, option: "commit" | "abort") {
  const execute = (_: object, parent: Parent) => decide(parent, option)
  return defineBlock({ kind, typeID, fields: commonFields, until: "banff", execute })
}

/** Executes transactions that need no decision. Until Banff. */
const apricotStandardBlock = defineBlock({
  kind: "ApricotStandardBlock",
  typeID: 3,
  fields: { ...commonFields, txs: list(tx) },
  until: "banff",
  txs: (block) => block.txs,

  execute(block, parent, blockContext) {
    const diff = new Diff(requireState(parent))
    const { imports } = processTxs(block.txs, block.height, diff, executionBeforeBanff(blockContext))
    return { kind: "decided", diff, imports }
  },
})

/** Executes one import or export. Until Apricot Phase 5, which has its own refusal after the check of the height. */
const apricotAtomicBlock = defineBlock({
  kind: "ApricotAtomicBlock",
  typeID: 4,
  fields: { ...commonFields, tx },
  txs: (block) => [block.tx],

  execute({ tx, height }, parent, blockContext) {
    const { timestamp } = parent
    if (isActive(blockContext.upgrades, "apricotPhase5", timestamp)) {
      throw blockError("block.atomic_after_phase_5", { timestamp, phase5: blockContext.upgrades.times.apricotPhase5 })
    }
    const { kind } = tx.unsignedTx
    return withTxStep("atomic", tx, () => {
      if (kind !== "ImportTx" && kind !== "ExportTx") throw txError("tx.wrong_place", { kind })
      const diff = new Diff(requireState(parent))
      const imports = executeTx(tx, diff, executionBeforeBanff(blockContext))
      recordTx(diff, tx, height, TxStatus.committed)
      return { kind: "decided", diff, imports } as const
    })
  },
})

/** Advances time, executes transactions, then proposes one; a commit or abort block decides on it. From Banff. */
const banffProposalBlock = defineBlock({
  kind: "BanffProposalBlock",
  typeID: 29,
  fields: { time: u64, txs: list(tx), ...commonFields, tx },
  txs: (block) => [...block.txs, block.tx],

  execute(block, parent, blockContext) {
    const { diff: decision, execution } = atBlockTime(block.time, parent, blockContext)
    const { imports } = processTxs(block.txs, block.height, decision, execution)
    return { ...propose(block.tx, block.height, decision, execution), decision, imports }
  },
})

/** Decides for or against its parent's proposal, and repeats its time. From Banff. */
function banffOption<const K extends string>(kind: K, typeID: number, option: "commit" | "abort") {
  return defineBlock({
    kind,
    typeID,
    fields: { time: u64, ...commonFields },

    execute({ time }, parent) {
      checkOptionTime(time, parent)
      return decide(parent, option)
    },
  })
}

/** Advances time and executes transactions. From Banff. */
const banffStandardBlock = defineBlock({
  kind: "BanffStandardBlock",
  typeID: 32,
  fields: { time: u64, ...commonFields, txs: list(tx) },
  txs: (block) => block.txs,

  execute(block, parent, blockContext) {
    const { diff, changed, execution } = atBlockTime(block.time, parent, blockContext)
    const { imports, evicted } = processTxs(block.txs, block.height, diff, execution)
    if (!changed && !evicted && block.txs.length === 0) throw blockError("block.no_changes")
    return { kind: "decided", diff, imports }
  },
})

/** Every kind of block, by type ID. */
export const blockTypes = [
  apricotProposalBlock,
  apricotOption("ApricotAbortBlock", 1, "abort"),
  apricotOption("ApricotCommitBlock", 2, "commit"),
  apricotStandardBlock,
  apricotAtomicBlock,
  banffProposalBlock,
  banffOption("BanffAbortBlock", 30, "abort"),
  banffOption("BanffCommitBlock", 31, "commit"),
  banffStandardBlock,
] as const
