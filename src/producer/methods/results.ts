import { described, list, oneOf, optional, string } from "../../jsonrpc/schema/kinds.js"
import { number, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { time } from "../../jsonrpc/schema/outputs.js"

export const blockMode = object({
  mode: oneOf("auto", "interval", "manual"),
  seconds: optional(described(number, "The length of an interval in seconds.")),
})

/** Result of moving the clock. */
export const timeTravel = object({
  clock: described(time, "The time of the clock."),
  chainTime: described(time, "The time of the last block."),
  height: u64,
  blocks: described(number, "The number of blocks that were produced."),
  rewarded: described(number, "The number of stakers whose reward was paid."),
  aborted: described(number, "The number of stakers whose reward was refused because of their uptime."),
  deactivated: described(number, "The number of L1 validators whose balance was used up."),
  l1sNotMoved: optional(
    described(
      list(string),
      "The running L1s whose plugins do not follow the clock, and show the time of the machine. Absent if there are none.",
    ),
  ),
  l1sNotStopped: optional(
    described(
      list(string),
      "The running L1s whose plugins move with the clock, and go on while it is frozen. Absent if there are none.",
    ),
  ),
})

/** The members besides the clock in the examples of moving it, where no block is due. */
export const exampleTravel = {
  chainTime: "2029-09-17T04:00:00Z",
  height: "0",
  blocks: 0,
  rewarded: 0,
  aborted: 0,
  deactivated: 0,
} as const
