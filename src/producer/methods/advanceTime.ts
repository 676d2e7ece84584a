import { bool, described, optional, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { unixTime } from "../../services/kinds.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"
import { moveAll } from "./moveAll.js"
import { force, l1Blocks } from "./params.js"
import { exampleTravel, timeTravel } from "./results.js"

export const advanceTime = devMethod({
  name: "dev.advanceTime",
  summary:
    "Moves the clock forward and produces every block that becomes due in that time, for rewards, staker changes and L1 fees. The reasons of dropped transactions are forgotten.",
  params: object({
    seconds: described(optional(u64), "The number of seconds to move forward. Give either `seconds` or `to`."),
    to: optional(unixTime),
    settle: described(
      withDefault(bool, false),
      "Whether a small payment moves the time of the chain forward if no block is due. Otherwise the time of the chain changes with the next transaction.",
    ),
    l1Blocks,
    force,
  }),
  result: timeTravel,
  examples: [
    {
      params: { seconds: 3600 },
      result: { clock: "2030-03-17T18:46:40Z", ...exampleTravel },
    },
  ],

  async handler({ seconds, to, settle, l1Blocks, force }, { chain, l1s }) {
    if ((seconds === undefined) === (to === undefined)) throw devError("dev.seconds_or_to")
    const target = to === undefined ? { by: seconds ?? 0n } : { to }
    return moveAll({ chain, l1s }, { ...target, settle, force }, l1Blocks)
  },
})
