import { bool, described, object, optional } from "../../jsonrpc/schema/kinds.js"
import { travelled, travelledJson } from "./answers.js"
import { method } from "./context.js"
import { time } from "./params.js"

export const setTime = method({
  name: "dev.setTime",
  summary: "Moves the clock forward to a time, as `dev.advanceTime`, and lets it stand still or run on from there.",
  params: object({
    to: time,
    frozen: described(optional(bool), "whether the clock stands still from then on; left out: as before"),
  }),
  result: travelled,
  examples: [
    {
      params: { to: "2030-03-18T00:00:00Z", frozen: true },
      result: { clock: "1900022400", chainTime: "1884312000", height: "0", blocks: 0, rewarded: 0, aborted: 0, deactivated: 0 },
    },
  ],

  async handler({ to, frozen }, { dev }) {
    return travelledJson(await dev.setTime({ to, isFrozen: frozen }))
  },
})
