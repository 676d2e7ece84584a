import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

export const getProposedHeight = method({
  name: "proposervm.getProposedHeight",
  summary: "The P-Chain height that the next block's wrapper would name.",
  params: nothing,
  result: answer.object({ height: answer.digits }),
  examples: [{ params: {}, result: { height: "0" } }],

  handler: (_params, { node }) => ({ height: node.proposedHeight().toString() }),
})
