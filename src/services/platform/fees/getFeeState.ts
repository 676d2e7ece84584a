import { printRfc3339 } from "../../../core/lib/rfc3339.js"
import { gasOf } from "../../../core/rules/chainTime.js"
import { priceOf } from "../../../core/rules/gas.js"
import { chainTimeOf } from "../../../core/rules/run.js"
import { answer } from "../../../jsonrpc/result.js"
import { nothing } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"

export const getFeeState = method({
  name: "platform.getFeeState",
  summary: "What gas cost in the last accepted block, and how much of it was left. Not advanced to the present.",
  params: nothing,
  result: answer.object({
    capacity: answer.described(answer.integer, "gas that could still be used"),
    excess: answer.described(answer.integer, "gas used above the target"),
    price: answer.described(answer.integer, "nAVAX for a unit of gas"),
    timestamp: answer.time,
  }),
  examples: [{ params: {}, result: { capacity: 994785, excess: 5215, price: 1, timestamp: "2024-07-30T04:00:07Z" } }],

  handler(_params, { view, rules }) {
    const { capacity, excess } = gasOf(view)
    const price = priceOf(rules.params.dynamicFee, excess)
    return { capacity, excess, price, timestamp: printRfc3339(chainTimeOf(view)) }
  },
})
