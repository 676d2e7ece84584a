import { bool, described, optional } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { unixTime } from "../../services/kinds.js"
import { devMethod } from "./context.js"
import { force } from "./params.js"
import { timeTravel } from "./results.js"

export const setTime = devMethod({
  name: "dev.setTime",
  summary: "Moves the clock forward to the given time, as `dev.advanceTime` does, and stops the clock there or lets it continue.",
  params: object({
    to: unixTime,
    frozen: described(optional(bool), "Whether the clock stands still afterwards. The default is to leave this unchanged."),
    force,
  }),
  result: timeTravel,
  examples: [
    {
      params: { to: "2030-03-18T00:00:00Z", frozen: true },
      result: {
        clock: "2030-03-18T00:00:00Z",
        chainTime: "2029-09-17T04:00:00Z",
        height: "0",
        blocks: 0,
        rewarded: 0,
        aborted: 0,
        deactivated: 0,
      },
    },
  ],

  handler: ({ to, frozen, force }, { dev }) => dev.setTime({ to, isFrozen: frozen, force }),
})
