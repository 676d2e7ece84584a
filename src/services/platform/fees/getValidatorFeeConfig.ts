import { described, optional } from "../../../jsonrpc/schema/kinds.js"
import { integer } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { forEver } from "../../lifetimes.js"

export const getValidatorFeeConfig = method({
  name: "platform.getValidatorFeeConfig",
  summary: "Returns the parameters of the continuous fee of L1 validators (ACP-77).",
  params: nothing,
  result: object({
    capacity: described(integer, "The number of L1 validators that can be active at the same time."),
    target: described(integer, "The number of active L1 validators above which the price rises."),
    targetPerSecond: described(optional(integer), "The gas target per second, as in getFeeConfig."),
    minPrice: described(integer, "The lowest price in nAVAX per second."),
    excessConversionConstant: integer,
  }),
  lifetime: forEver,
  examples: [
    {
      params: {},
      result: { capacity: 20000, target: 10000, targetPerSecond: 50000, minPrice: 1, excessConversionConstant: 865617 },
    },
  ],

  handler(_params, { rules, dialect }) {
    const { capacity, target, minPrice, excessConversionConstant } = rules.params.validatorFee
    const { targetPerSecond } = rules.params.dynamicFee
    const extra = dialect === "contract" ? { targetPerSecond } : {}
    return { capacity, target, ...extra, minPrice, excessConversionConstant }
  },
})
