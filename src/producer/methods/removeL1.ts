import { object } from "../../jsonrpc/schema/object.js"
import { hostedL1 } from "../chainHosting.js"
import { devMethod } from "./context.js"
import { exampleL1, l1Name, requireHosting } from "./hostedL1.js"

export const removeL1 = devMethod({
  name: "dev.removeL1",
  summary: "Stops the chain of an L1 and deletes its data. The subnet and the blockchain stay on the P-Chain.",
  params: object({ name: l1Name }),
  result: hostedL1,
  cost: 20,
  examples: [{ params: { name: "mine" }, result: { ...exampleL1, state: "stopped", reason: "it was removed" } }],

  handler: ({ name }, context) => requireHosting(context).remove(name),
})
