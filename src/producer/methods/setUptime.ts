import { described, optional } from "../../jsonrpc/schema/kinds.js"
import { number } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { nodeID } from "../../services/kinds.js"
import { devMethod } from "./context.js"
import { devError } from "./errors.js"

export const setUptime = devMethod({
  name: "dev.setUptime",
  summary:
    "What share of its time a validator is taken to have been online, until it is set again. Below 80 % its rewards are refused.",
  params: object({
    nodeID,
    percent: described(optional(number), "from 0 to 100; null: the default, which is 100"),
  }),
  result: nothing,
  examples: [{ params: { nodeID: "NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg", percent: 75 }, result: {} }],

  async handler({ nodeID, percent }, { dev }) {
    if (percent !== undefined && !(percent >= 0 && percent <= 100)) throw devError("dev.bad_percent", { percent })
    await dev.setUptime(nodeID, percent)
    return {}
  },
})
