import { list } from "../codec/list.js"
import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"

/** Transactions that need no decision. Until Banff. */
export const apricotStandardBlock = defineBlock("ApricotStandardBlock", 3, { ...commonFields, txs: list(tx) })
