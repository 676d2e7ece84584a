import { gasOf } from "../../../core/rules/chainTime.js"
import { chainTimeOf } from "../../../core/rules/context.js"
import { priceOf } from "../../../core/rules/gas.js"
import { described } from "../../../jsonrpc/schema/kinds.js"
import { integer } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { type Context, method } from "../../context.js"

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
  reuse: { dependsOn: ({ node }) => (node.gasNow ? String(node.now()) : "") },
  examples: [{ params: {}, result: { capacity: 994785, excess: 5215, price: 1, timestamp: "2024-07-30T04:00:07Z" } }],

  handler(_params, context) {
    const { cache, node } = context
    // The five reads of a fee state take as long as the rest of a small call, so it is cached.
    const make = () => feeStateOf(context)
    return node.gasNow ? cache.forSecond("platform.getFeeState", make) : cache.forState("platform.getFeeState", make)
  },
})

/** Approximate bytes of a fee state in the cache. */
const SIZE = 100

function feeStateOf({ view, rules, node }: Context) {
  const { capacity, excess, time: timestamp } = node.gasNow?.() ?? { ...gasOf(view), time: chainTimeOf(view) }
  return { capacity, excess, price: priceOf(rules.params.dynamicFee, excess), timestamp, size: SIZE }
}
