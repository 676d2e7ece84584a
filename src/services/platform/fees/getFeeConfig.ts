import { described, list } from "../../../jsonrpc/schema/kinds.js"
import { integer } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { forEver } from "../../lifetimes.js"

export const getFeeConfig = method({
  name: "platform.getFeeConfig",
  summary: "Returns the parameters of the transaction fees (ACP-103).",
  params: nothing,
  result: object({
    weights: described(
      list(integer),
      "The gas of one unit of bandwidth, database reads, database writes and compute, in this order.",
    ),
    maxCapacity: described(integer, "The largest amount of gas that can be available to blocks."),
    maxPerSecond: described(integer, "The amount of gas that becomes available per second."),
    targetPerSecond: described(integer, "The gas use per second above which the price rises."),
    minPrice: described(integer, "The lowest price in nAVAX per unit of gas."),
    excessConversionConstant: integer,
  }),
  lifetime: forEver,
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
