import { answer } from "./answer.js"
import { method } from "./method.js"
import { openRpc } from "./openrpc.js"
import { nothing } from "./schema/kinds.js"

/** Found on every path: the whole API in OpenRPC. */
export const discover = method({
  name: "rpc.discover",
  summary: "The description of this API in OpenRPC.",
  params: nothing,
  result: answer.json,
  onlyIn: "contract",
  examples: [],

  handler: (_params, { node }) => openRpc(node.version.version),
})
