import { networkNameOf } from "../../core/networks/names.js"
import { answer } from "../answer.js"
import { method } from "../method.js"
import { nothing } from "../schema/kinds.js"

export const getNetworkName = method({
  name: "info.getNetworkName",
  summary: "The name of the network this node is on: mainnet, fuji, local, or network- and its number.",
  params: nothing,
  result: answer.object({ networkName: answer.string }),
  examples: [{ params: {}, result: { networkName: "local" } }],

  handler: (_params, { node }) => ({ networkName: networkNameOf(node.networkID) }),
})
