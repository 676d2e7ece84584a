import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { ofStateAnd } from "../../lifetimes.js"

export const getProposedHeight = method({
  name: "platform.getProposedHeight",
  summary: "Returns the P-Chain height at which the Warp messages of the next block would be verified.",
  params: nothing,
  result: object({ height: u64 }),
  lifetime: ofStateAnd("the proposed height", ({ node }) => String(node.proposedHeight())),
  examples: [{ params: {}, result: { height: "13" } }],

  handler: (_params, { node }) => ({ height: node.proposedHeight() }),
})
