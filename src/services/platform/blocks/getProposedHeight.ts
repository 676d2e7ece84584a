import { answer } from "../../../jsonrpc/result.js"
import { nothing } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"

export const getProposedHeight = method({
  name: "platform.getProposedHeight",
  summary: "The height at which the next block's Warp messages would be verified.",
  params: nothing,
  result: answer.object({ height: answer.digits }),
  examples: [{ params: {}, result: { height: "13" } }],

  handler: (_params, { node }) => ({ height: node.proposedHeight().toString() }),
})
