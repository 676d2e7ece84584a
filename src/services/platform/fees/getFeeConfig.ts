import { described, list } from "../../../jsonrpc/schema/kinds.js"
import { integer } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"

export const getFeeConfig = method({
  name: "platform.getFeeConfig",
  summary: "The numbers that transactions' fees are made of (ACP-103).",
  params: nothing,
  result: object({
    weights: described(list(integer), "gas for a unit of bandwidth, database read, database write, compute"),
    maxCapacity: described(integer, "gas that blocks may use at once"),
    maxPerSecond: described(integer, "gas that comes back in a second"),
    targetPerSecond: described(integer, "gas in a second above which the price rises"),
    minPrice: described(integer, "nAVAX for a unit of gas"),
    excessConversionConstant: integer,
  }),
  examples: [
    {
      params: {},
      result: {
        weights: [1, 1000, 1000, 4],
        maxCapacity: 1000000,
        maxPerSecond: 100000,
        targetPerSecond: 50000,
        minPrice: 1,
        excessConversionConstant: 2164043,
      },
    },
  ],

  handler(_params, { rules }) {
    const { weights, maxCapacity, maxPerSecond, targetPerSecond, minPrice, excessConversionConstant } = rules.params.dynamicFee
    const { bandwidth, dbRead, dbWrite, compute } = weights
    const limits = { maxCapacity, maxPerSecond, targetPerSecond, minPrice, excessConversionConstant }
    return { weights: [bandwidth, dbRead, dbWrite, compute], ...limits }
  },
})
