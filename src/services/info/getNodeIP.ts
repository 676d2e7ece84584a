import { string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"

export const getNodeIP = method({
  name: "info.getNodeIP",
  summary: "Returns the IP address and port that this node announces to its peers, or an empty string if it announces none.",
  params: nothing,
  result: object({ ip: string }),
  nodeSpecific: true,
  examples: [{ title: "A node without peers", params: {}, result: { ip: "" } }],

  handler: (_params, { node }) => ({ ip: node.peerAddress() }),
})
