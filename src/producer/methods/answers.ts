import { answer } from "../../jsonrpc/result.js"
import type { Travelled } from "../dev/setTime.js"
import type { BlockMode } from "../due/schedule.js"

/** An answer without anything in it. */
export const nothing = answer.object({})

export const unixTime = answer.described(answer.digits, "Unix seconds")

export const blockMode = answer.object({
  mode: answer.oneOf("auto", "interval", "manual"),
  seconds: answer.optional(answer.described(answer.number, "of an interval")),
})

/** Where time went, and what happened on the way. */
export const travelled = answer.object({
  clock: answer.described(answer.digits, "what the clock shows now, Unix seconds"),
  chainTime: answer.described(answer.digits, "the last block's time, Unix seconds"),
  height: answer.digits,
  blocks: answer.described(answer.number, "made on the way"),
  rewarded: answer.described(answer.number, "stakers whose reward was paid"),
  aborted: answer.described(answer.number, "stakers whose reward was refused for their uptime"),
  deactivated: answer.described(answer.number, "L1 validators that ran out of balance"),
})

export function travelledJson({ clock, chainTime, height, blocks, rewarded, aborted, deactivated }: Travelled) {
  const texts = { clock: clock.toString(), chainTime: chainTime.toString(), height: height.toString() }
  return { ...texts, blocks, rewarded, aborted, deactivated }
}

export const blockModeJson = (mode: BlockMode) => (mode.mode === "interval" ? mode : { mode: mode.mode })
