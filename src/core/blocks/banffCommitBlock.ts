import { u64 } from "../codec/primitives.js"
import { commonFields, defineBlock } from "./defineBlock.js"

/** Decides for the proposal before it, and repeats its time. From Banff. */
export const banffCommitBlock = defineBlock("BanffCommitBlock", 31, { time: u64, ...commonFields })
