import { u64 } from "../codec/primitives.js"
import { commonFields, defineBlock } from "./defineBlock.js"
import { checkOptionTime, decide } from "./steps.js"

/** Decides for its parent's proposal, and repeats its time. From Banff. */
export const banffCommitBlock = defineBlock({
  kind: "BanffCommitBlock",
  typeID: 31,
  fields: { time: u64, ...commonFields },

  execute({ time }, parent) {
    checkOptionTime(time, parent)
    return decide(parent, "commit")
  },
})
