import { list } from "../codec/list.js"
import { Diff } from "../state/diff.js"
import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"
import { executionBeforeBanff, processTxs, requireState } from "./steps.js"

/** Executes transactions that need no decision. Until Banff. */
export const apricotStandardBlock = defineBlock({
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
