import { object } from "../../jsonrpc/schema/object.js"
import { hostedL1 } from "../chainHosting.js"
import { devMethod } from "./context.js"
import { exampleL1, l1Name, requireHosting } from "./hostedL1.js"

export const stopL1 = devMethod({
  name: "dev.stopL1",
  summary: "Stops the chain of an L1, also across restarts of the node, until it is started again.",
  params: object({ name: l1Name }),
  result: hostedL1,
  cost: 20,
  examples: [{ params: { name: "mine" }, result: { ...exampleL1, state: "stopped", reason: "a call of dev.stopL1 ended it" } }],

  handler: ({ name }, context) => requireHosting(context).stop(name),
})
