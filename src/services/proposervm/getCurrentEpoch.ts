import { described } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"

export const getCurrentEpoch = method({
  name: "proposervm.getCurrentEpoch",
  summary:
    "Returns the epoch (ACP-181) of the next block. During an epoch all Warp messages are verified at the same P-Chain height.",
  params: nothing,
  result: object({
    number: u64,
    startTime: described(u64, "The start time of the epoch in Unix seconds."),
    pChainHeight: u64,
  }),
  examples: [{ params: {}, result: { number: "1", startTime: "1794710000", pChainHeight: "0" } }],

  handler: (_params, { node }) => node.currentEpoch(),
})
