import { networkNameOf } from "../../core/networks/names.js"
import { string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { forEver } from "../lifetimes.js"

export const getNetworkName = method({
  name: "info.getNetworkName",
  summary: "Returns the name of the network of this node: mainnet, fuji, local, or `network-` followed by the network ID.",
  params: nothing,
  result: object({ networkName: string }),
  lifetime: forEver,
  examples: [{ params: {}, result: { networkName: "local" } }],

  handler: (_params, { node }) => ({ networkName: networkNameOf(node.networkID) }),
})
