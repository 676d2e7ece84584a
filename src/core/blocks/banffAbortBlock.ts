import { u64 } from "../codec/primitives.js"
import { commonFields, defineBlock } from "./defineBlock.js"
import { checkOptionTime, decide } from "./steps.js"

/** Decides against its parent's proposal, and repeats its time. From Banff. */
export const banffAbortBlock = defineBlock({
  kind: "BanffAbortBlock",
  typeID: 30,
  fields: { time: u64, ...commonFields },

  execute({ time }, parent) {
    checkOptionTime(time, parent)
    return decide(parent, "abort")
  },
})
