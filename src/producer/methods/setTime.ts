import { bool, described, optional } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { unixTime } from "../../services/kinds.js"
import { devMethod } from "./context.js"
import { moveAll } from "./moveAll.js"
import { force, l1Blocks } from "./params.js"
import { exampleTravel, timeTravel } from "./results.js"

export const setTime = devMethod({
  name: "dev.setTime",
  summary: "Moves the clock forward to the given time, as `dev.advanceTime` does, and stops the clock there or lets it continue.",
  params: object({
    to: unixTime,
    frozen: described(optional(bool), "Whether the clock is frozen afterwards. The default is to leave this unchanged."),
    l1Blocks,
    force,
  }),
  result: timeTravel,
  examples: [
    {
      params: { to: "2030-03-18T00:00:00Z", frozen: true },
      result: { clock: "2030-03-18T00:00:00Z", ...exampleTravel },
    },
  ],

  handler: ({ to, frozen, l1Blocks, force }, { chain, l1s }) =>
    moveAll({ chain, l1s }, { to, isFrozen: frozen, force }, l1Blocks),
})
