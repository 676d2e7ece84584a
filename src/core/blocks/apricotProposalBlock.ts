import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"

/** Proposes one transaction; a commit or abort block decides. Until Banff. */
export const apricotProposalBlock = defineBlock("ApricotProposalBlock", 0, { ...commonFields, tx })
