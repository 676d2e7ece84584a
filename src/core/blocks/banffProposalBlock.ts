import { list } from "../codec/list.js"
import { u64 } from "../codec/primitives.js"
import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"

/** Moves time, runs transactions, then proposes one; a commit or abort block decides. From Banff. */
export const banffProposalBlock = defineBlock("BanffProposalBlock", 29, { time: u64, txs: list(tx), ...commonFields, tx })
