import { answer } from "../../../jsonrpc/result.js"
import { nothing } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"

export const getValidatorFeeConfig = method({
  name: "platform.getValidatorFeeConfig",
  summary: "The numbers that L1 validators' continuous fee is made of (ACP-77).",
  params: nothing,
  result: answer.object({
    capacity: answer.described(answer.integer, "validators that may be active at once"),
    target: answer.described(answer.integer, "active validators above which the price rises"),
    targetPerSecond: answer.described(answer.optional(answer.integer), "the target of gas, as in getFeeConfig"),
    minPrice: answer.described(answer.integer, "nAVAX a second"),
    excessConversionConstant: answer.integer,
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
