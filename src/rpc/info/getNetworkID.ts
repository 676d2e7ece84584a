import { answer } from "../answer.js"
import { method } from "../method.js"
import { nothing } from "../schema/kinds.js"

export const getNetworkID = method({
  name: "info.getNetworkID",
  summary: "The number of the network this node is on.",
  params: nothing,
  result: answer.object({ networkID: answer.digits }),
  examples: [{ params: {}, result: { networkID: "12345" } }],

  handler: (_params, { node }) => ({ networkID: node.networkID.toString() }),
})
