import { described, optional } from "../../../jsonrpc/schema/kinds.js"
import { integer } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"

export const getValidatorFeeConfig = method({
  name: "platform.getValidatorFeeConfig",
  summary: "The numbers that L1 validators' continuous fee is made of (ACP-77).",
  params: nothing,
  result: object({
    capacity: described(integer, "validators that may be active at once"),
    target: described(integer, "active validators above which the price rises"),
    targetPerSecond: described(optional(integer), "the target of gas, as in getFeeConfig"),
    minPrice: described(integer, "nAVAX a second"),
    excessConversionConstant: integer,
  }),
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
