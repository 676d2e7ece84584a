import { bool, described, object, optional } from "../schema.js"
import { travelled, travelledJson } from "./answers.js"
import { time } from "./params.js"
import { method } from "./port.js"

export const setTime = method({
  name: "dev.setTime",
  summary: "Moves the clock forward to a time, as `dev.advanceTime`, and lets it stand still or run on from there.",
  params: object({
    to: time,
    frozen: described(optional(bool), "whether the clock stands still from then on; left out: as before"),
  }),
  result: travelled,
  examples: [],

  async handler({ to, frozen }, { dev }) {
    return travelledJson(await dev.setTime({ to, isFrozen: frozen }))
  },
})
