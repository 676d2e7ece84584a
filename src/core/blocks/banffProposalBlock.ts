import { list } from "../codec/list.js"
import { u64 } from "../codec/primitives.js"
import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"
import { atBlockTime, processTxs, propose } from "./steps.js"

/** Advances time, executes transactions, then proposes one; a commit or abort block decides on it. From Banff. */
export const banffProposalBlock = defineBlock({
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
