import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"

/** One import or export. Until Apricot Phase 5. */
export const apricotAtomicBlock = defineBlock("ApricotAtomicBlock", 4, { ...commonFields, tx })
