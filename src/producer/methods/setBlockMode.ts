import { described, oneOf, withDefault } from "../../jsonrpc/schema/kinds.js"
import { number } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"

export const setBlockMode = devMethod({
  name: "dev.setBlockMode",
  summary:
    "When transactions get their block: `auto` at once, `interval` every so many seconds if something waits, `manual` by `dev.mine`. Blocks for staker changes come when due in every mode.",
  params: object({
    mode: oneOf("auto", "interval", "manual"),
    seconds: described(withDefault(number, 2), "of an interval, above 0 and at most a day"),
  }),
  result: nothing,
  examples: [{ params: { mode: "interval", seconds: 1 }, result: {} }],

  async handler({ mode, seconds }, { dev }) {
    await dev.setBlockMode(mode === "interval" ? { mode, seconds } : { mode })
    return {}
  },
})
