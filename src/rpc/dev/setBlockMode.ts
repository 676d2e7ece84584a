import { described, number, object, oneOf, withDefault } from "../schema.js"
import { nothing } from "./answers.js"
import { devError } from "./errors.js"
import { method } from "./port.js"

const DAY = 86_400

export const setBlockMode = method({
  name: "dev.setBlockMode",
  summary:
    "When transactions get their block: `auto` at once, `interval` every so many seconds if something waits, `manual` by `dev.mine`. Blocks for staker changes come when due in every mode.",
  params: object({
    mode: oneOf("auto", "interval", "manual"),
    seconds: described(withDefault(number, 2), "of an interval"),
  }),
  result: nothing,
  examples: [{ params: { mode: "interval", seconds: 1 }, result: {} }],

  async handler({ mode, seconds }, { dev }) {
    if (seconds <= 0 || seconds > DAY) throw devError("dev.bad_interval", { seconds })
    await dev.setBlockMode(mode === "interval" ? { mode, seconds } : { mode })
    return {}
  },
})
