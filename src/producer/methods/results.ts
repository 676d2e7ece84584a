import { described, oneOf, optional } from "../../jsonrpc/schema/kinds.js"
import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"

export const blockMode = object({
  mode: oneOf("auto", "interval", "manual"),
  seconds: optional(described(number, "of an interval")),
})

/** Where time went, and what happened on the way. */
export const timeTravel = object({
  clock: described(u64, "what the clock shows now, Unix seconds"),
  chainTime: described(u64, "the last block's time, Unix seconds"),
  height: u64,
  blocks: described(number, "made on the way"),
  rewarded: described(number, "stakers whose reward was paid"),
  aborted: described(number, "stakers whose reward was refused for their uptime"),
  deactivated: described(number, "L1 validators that ran out of balance"),
})
