import { u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { requirePrivateChain } from "./requirePrivateChain.js"

export const getHeight = method({
  name: "avm.getHeight",
  summary:
    "Returns the height of the X-Chain. A private chain has no X-Chain, so the height is 0. A node of another network refuses the call.",
  params: nothing,
  result: object({ height: u64 }),
  examples: [{ params: {}, result: { height: "0" } }],

  handler(_params, { node }) {
    requirePrivateChain(node)
    return { height: 0n }
  },
})
