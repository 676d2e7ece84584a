import { gasOf } from "../../../core/rules/chainTime.js"
import { chainTimeOf } from "../../../core/rules/context.js"
import { priceOf } from "../../../core/rules/gas.js"
import { described } from "../../../jsonrpc/schema/kinds.js"
import { integer } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { ofSecond } from "../../lifetimes.js"

export const getFeeState = method({
  name: "platform.getFeeState",
  summary:
    "Returns the gas that is left and its price. A private chain reports what a block built now would start from; other nodes report the state after the last accepted block.",
  params: nothing,
  result: object({
    capacity: described(integer, "The amount of gas that is available."),
    excess: described(integer, "The amount of gas used above the target."),
    price: described(integer, "The price in nAVAX per unit of gas."),
    timestamp: time,
  }),
  lifetime: ofSecond(({ node }) => node.gasNow !== undefined),
  examples: [{ params: {}, result: { capacity: 994785, excess: 5215, price: 1, timestamp: "2024-07-30T04:00:07Z" } }],

  handler(_params, { view, rules, node }) {
    const { capacity, excess, time: timestamp } = node.gasNow?.() ?? { ...gasOf(view), time: chainTimeOf(view) }
    return { capacity, excess, price: priceOf(rules.params.dynamicFee, excess), timestamp }
  },
})
