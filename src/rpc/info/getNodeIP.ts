import { answer } from "../answer.js"
import { method } from "../method.js"
import { nothing } from "../schema.js"

export const getNodeIP = method({
  name: "info.getNodeIP",
  summary: "The address that this node tells its peers, with the port; empty where it has none.",
  params: nothing,
  result: answer.object({ ip: answer.string }),
  nodeSpecific: true,
  examples: [{ params: {}, result: { ip: "127.0.0.1:9651" } }],

  handler: (_params, { node }) => ({ ip: node.identity.ip }),
})
