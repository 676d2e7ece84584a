import { u64 } from "../codec/primitives.js"
import { defineTx } from "./defineTx.js"

/** Moves the chain's time (Unix seconds). Proposed until Banff; since then blocks carry their time. */
export const advanceTimeTx = defineTx({
  kind: "AdvanceTimeTx",
  typeID: 19,
  fields: { time: u64 },

  check() {},
})
