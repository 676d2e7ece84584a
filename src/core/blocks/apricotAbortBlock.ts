import { commonFields, defineBlock } from "./defineBlock.js"

/** Decides against the proposal before it. Until Banff. */
export const apricotAbortBlock = defineBlock("ApricotAbortBlock", 1, commonFields)
