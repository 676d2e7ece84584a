import { described, oneOf, withDefault } from "../../jsonrpc/schema/kinds.js"
import { number } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { devMethod } from "./context.js"

export const setBlockMode = devMethod({
  name: "dev.setBlockMode",
  summary:
    "Sets when blocks are produced for transactions: `auto` at once, `interval` every given number of seconds if the mempool is not empty, `manual` only by `dev.mine`. Blocks for staker changes are produced when they are due in every mode.",
  params: object({
    mode: described(oneOf("auto", "interval", "manual"), "When blocks are produced: at once, at intervals, or on request."),
    seconds: described(withDefault(number, 2), "The length of an interval in seconds, above 0 and at most one day."),
  }),
  result: nothing,
  examples: [{ params: { mode: "interval", seconds: 1 }, result: {} }],

  async handler({ mode, seconds }, { dev, l1s }) {
    await dev.setBlockMode(mode === "interval" ? { mode, seconds } : { mode })
    l1s?.blockModeWasSet()
    return {}
  },
})
