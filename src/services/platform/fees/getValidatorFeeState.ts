import { printRfc3339 } from "../../../core/lib/rfc3339.js"
import { l1ExcessOf } from "../../../core/rules/chainTime.js"
import { priceOf } from "../../../core/rules/gas.js"
import { chainTimeOf } from "../../../core/rules/run.js"
import { answer } from "../../../jsonrpc/result.js"
import { nothing } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"

export const getValidatorFeeState = method({
  name: "platform.getValidatorFeeState",
  summary: "What an active L1 validator paid for a second at the last accepted block.",
  params: nothing,
  result: answer.object({
    excess: answer.described(answer.integer, "validator-seconds above the target"),
    price: answer.described(answer.integer, "nAVAX a second"),
    timestamp: answer.time,
  }),
  examples: [{ params: {}, result: { excess: 0, price: 1, timestamp: "2024-07-30T04:00:07Z" } }],

  handler(_params, { view, rules }) {
    const excess = l1ExcessOf(view)
    return { excess, price: priceOf(rules.params.validatorFee, excess), timestamp: printRfc3339(chainTimeOf(view)) }
  },
})
