import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"
import { executionBeforeBanff, propose, requireState } from "./steps.js"

/** Proposes one transaction; a commit or abort block decides on it. Until Banff. */
export const apricotProposalBlock = defineBlock({
  kind: "ApricotProposalBlock",
  typeID: 0,
  fields: { ...commonFields, tx },
  until: "banff",
  txs: (block) => [block.tx],
  execute: (block, parent, blockContext) =>
    propose(block.tx, block.height, requireState(parent), executionBeforeBanff(blockContext)),
})
