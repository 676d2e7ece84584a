import { u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { requirePrivateChain } from "./requirePrivateChain.js"

export const getHeight = method({
  name: "avm.getHeight",
  summary:
    "Returns the height of the X-Chain, which is 0 beside a private P-Chain: nobody runs an X-Chain there. A node of another network refuses.",
  params: nothing,
  result: object({ height: u64 }),
  examples: [{ params: {}, result: { height: "0" } }],

  handler(_params, { node }) {
    requirePrivateChain(node)
    return { height: 0n }
  },
})
