import { commonFields, defineBlock } from "./defineBlock.js"
import { decide } from "./steps.js"

/** Decides against its parent's proposal. Until Banff. */
export const apricotAbortBlock = defineBlock({
  kind: "ApricotAbortBlock",
  typeID: 1,
  fields: commonFields,
  until: "banff",
  execute: (_, parent) => decide(parent, "abort"),
})
