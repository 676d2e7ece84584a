import { answer } from "../../jsonrpc/result.js"
import { nothing } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

export const getCurrentEpoch = method({
  name: "proposervm.getCurrentEpoch",
  summary: "The epoch (ACP-181) of the next block: while it lasts, Warp messages are verified at one P-Chain height.",
  params: nothing,
  result: answer.object({
    number: answer.digits,
    startTime: answer.described(answer.digits, "Unix seconds"),
    pChainHeight: answer.digits,
  }),
  examples: [{ params: {}, result: { number: "1", startTime: "1794710000", pChainHeight: "0" } }],

  handler(_params, { node }) {
    const { number, startTime, pChainHeight } = node.currentEpoch()
    return { number: number.toString(), startTime: startTime.toString(), pChainHeight: pChainHeight.toString() }
  },
})
