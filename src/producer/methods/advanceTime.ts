import { bool, described, optional, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"
import { force, unixTime } from "./params.js"
import { timeTravel } from "./results.js"

export const advanceTime = devMethod({
  name: "dev.advanceTime",
  summary:
    "Moves the clock forward and makes every block that falls due on the way: rewards, staker changes, L1 fees. Forgets why transactions were dropped.",
  params: object({
    seconds: described(optional(u64), "how far; or `to`"),
    to: optional(unixTime),
    settle: described(
      withDefault(bool, false),
      "whether a small payment brings the chain's time along where nothing falls due; otherwise it arrives with the next transaction",
    ),
    force,
  }),
  result: timeTravel,
  examples: [
    {
      params: { seconds: 3600 },
      result: { clock: "1900003600", chainTime: "1884312000", height: "0", blocks: 0, rewarded: 0, aborted: 0, deactivated: 0 },
    },
  ],

  handler({ seconds, to, settle, force }, { dev }) {
    if ((seconds === undefined) === (to === undefined)) throw devError("dev.seconds_or_to")
    return dev.setTime(to === undefined ? { by: seconds ?? 0n, settle, force } : { to, settle, force })
  },
})
