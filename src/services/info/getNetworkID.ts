import { u32Text } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { forEver } from "../lifetimes.js"

export const getNetworkID = method({
  name: "info.getNetworkID",
  summary: "Returns the ID of the network of this node.",
  params: nothing,
  result: object({ networkID: u32Text }),
  lifetime: forEver,
  examples: [{ params: {}, result: { networkID: "12345" } }],

  handler: (_params, { node }) => ({ networkID: node.networkID }),
})
