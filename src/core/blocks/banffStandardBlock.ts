import { list } from "../codec/list.js"
import { u64 } from "../codec/primitives.js"
import { tx } from "../txs/tx.js"
import { commonFields, defineBlock } from "./defineBlock.js"

/** Moves time and runs transactions. From Banff. */
export const banffStandardBlock = defineBlock("BanffStandardBlock", 32, { time: u64, ...commonFields, txs: list(tx) })
