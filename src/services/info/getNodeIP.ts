import { string } from "../../jsonrpc/schema/kinds.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"

export const getNodeIP = method({
  name: "info.getNodeIP",
  summary: "The address that this node tells its peers, with the port; empty where it has none.",
  params: nothing,
  result: object({ ip: string }),
  nodeSpecific: true,
  examples: [{ title: "a node without peers", params: {}, result: { ip: "" } }],

  handler: (_params, { node }) => ({ ip: node.identity.ip }),
})
