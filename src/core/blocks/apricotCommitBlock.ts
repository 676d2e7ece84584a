import { commonFields, defineBlock } from "./defineBlock.js"
import { decide } from "./steps.js"

/** Decides for its parent's proposal. Until Banff; the genesis block is one. */
export const apricotCommitBlock = defineBlock({
  kind: "ApricotCommitBlock",
  typeID: 2,
  fields: commonFields,
  until: "banff",
  execute: (_, parent) => decide(parent, "commit"),
})
