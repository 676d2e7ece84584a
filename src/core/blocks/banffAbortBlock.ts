import { u64 } from "../codec/primitives.js"
import { commonFields, defineBlock } from "./defineBlock.js"

/** Decides against the proposal before it, and repeats its time. From Banff. */
export const banffAbortBlock = defineBlock("BanffAbortBlock", 30, { time: u64, ...commonFields })
