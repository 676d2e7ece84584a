import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"

export const getProposedHeight = method({
  name: "platform.getProposedHeight",
  summary: "The height at which the next block's Warp messages would be verified.",
  params: nothing,
  result: object({ height: u64 }),
  examples: [{ params: {}, result: { height: "13" } }],

  handler: (_params, { node }) => ({ height: node.proposedHeight() }),
})
