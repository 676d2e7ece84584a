import { networkNameOf } from "../../core/networks/names.js"
import { string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"

export const getNetworkName = method({
  name: "info.getNetworkName",
  summary: "The name of the network this node is on: mainnet, fuji, local, or network- and its number.",
  params: nothing,
  result: object({ networkName: string }),
  examples: [{ params: {}, result: { networkName: "local" } }],

  handler: (_params, { node }) => ({ networkName: networkNameOf(node.networkID) }),
})
