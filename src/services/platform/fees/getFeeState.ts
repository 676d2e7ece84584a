import { gasOf } from "../../../core/rules/chainTime.js"
import { priceOf } from "../../../core/rules/gas.js"
import { chainTimeOf } from "../../../core/rules/run.js"
import { described } from "../../../jsonrpc/schema/kinds.js"
import { integer } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"

export const getFeeState = method({
  name: "platform.getFeeState",
  summary: "What gas cost in the last accepted block, and how much of it was left. Not advanced to the present.",
  params: nothing,
  result: object({
    capacity: described(integer, "gas that could still be used"),
    excess: described(integer, "gas used above the target"),
    price: described(integer, "nAVAX for a unit of gas"),
    timestamp: time,
  }),
  examples: [{ params: {}, result: { capacity: 994785, excess: 5215, price: 1, timestamp: "2024-07-30T04:00:07Z" } }],

  handler(_params, { view, rules }) {
    const { capacity, excess } = gasOf(view)
    const price = priceOf(rules.params.dynamicFee, excess)
    return { capacity, excess, price, timestamp: chainTimeOf(view) }
  },
})
