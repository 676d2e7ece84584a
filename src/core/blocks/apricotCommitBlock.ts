import { commonFields, defineBlock } from "./defineBlock.js"

/** Decides for the proposal before it. Until Banff; the genesis block is one. */
export const apricotCommitBlock = defineBlock("ApricotCommitBlock", 2, commonFields)
