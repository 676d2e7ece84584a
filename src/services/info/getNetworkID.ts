import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

export const getNetworkID = method({
  name: "info.getNetworkID",
  summary: "The number of the network this node is on.",
  params: nothing,
  result: answer.object({ networkID: answer.digits }),
  examples: [{ params: {}, result: { networkID: "12345" } }],

  handler: (_params, { node }) => ({ networkID: node.networkID.toString() }),
})
