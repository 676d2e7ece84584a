import { object } from "../../jsonrpc/schema/object.js"
import { hostedL1 } from "../chainHosting.js"
import { devMethod } from "./context.js"
import { exampleL1, l1Name, requireHosting } from "./hostedL1.js"

export const startL1 = devMethod({
  name: "dev.startL1",
  summary: "Starts the chain of an L1 that does not run.",
  params: object({ name: l1Name }),
  result: hostedL1,
  cost: 20,
  examples: [{ params: { name: "mine" }, result: exampleL1 }],

  handler: ({ name }, context) => requireHosting(context).start(name),
})
