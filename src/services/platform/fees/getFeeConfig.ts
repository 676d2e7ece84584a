import { answer } from "../../../jsonrpc/result.js"
import { nothing } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"

export const getFeeConfig = method({
  name: "platform.getFeeConfig",
  summary: "The numbers that transactions' fees are made of (ACP-103).",
  params: nothing,
  result: answer.object({
    weights: answer.described(answer.list(answer.integer), "gas for a unit of bandwidth, database read, database write, compute"),
    maxCapacity: answer.described(answer.integer, "gas that blocks may use at once"),
    maxPerSecond: answer.described(answer.integer, "gas that comes back in a second"),
    targetPerSecond: answer.described(answer.integer, "gas in a second above which the price rises"),
    minPrice: answer.described(answer.integer, "nAVAX for a unit of gas"),
    excessConversionConstant: answer.integer,
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
