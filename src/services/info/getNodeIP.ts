import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

export const getNodeIP = method({
  name: "info.getNodeIP",
  summary: "The address that this node tells its peers, with the port; empty where it has none.",
  params: nothing,
  result: answer.object({ ip: answer.string }),
  nodeSpecific: true,
  examples: [{ title: "a node without peers", params: {}, result: { ip: "" } }],

  handler: (_params, { node }) => ({ ip: node.identity.ip }),
})
