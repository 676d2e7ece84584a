import { u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"

export const getProposedHeight = method({
  name: "proposervm.getProposedHeight",
  summary: "Returns the P-Chain height that the ProposerVM wrapper of the next block would contain.",
  params: nothing,
  result: object({ height: u64 }),
  examples: [{ params: {}, result: { height: "0" } }],

  handler: (_params, { node }) => ({ height: node.proposedHeight() }),
})
