import { l1ExcessOf } from "../../../core/rules/chainTime.js"
import { chainTimeOf } from "../../../core/rules/context.js"
import { priceOf } from "../../../core/rules/gas.js"
import { described } from "../../../jsonrpc/schema/kinds.js"
import { integer } from "../../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../../jsonrpc/schema/object.js"
import { time } from "../../../jsonrpc/schema/outputs.js"
import { method } from "../../context.js"
import { ofState } from "../../lifetimes.js"

export const getValidatorFeeState = method({
  name: "platform.getValidatorFeeState",
  summary: "Returns the price that an active L1 validator pays per second, as of the last accepted block.",
  params: nothing,
  result: object({
    excess: described(integer, "The validator-seconds used above the target."),
    price: described(integer, "The price in nAVAX per second."),
    timestamp: time,
  }),
  lifetime: ofState,
  examples: [{ params: {}, result: { excess: 0, price: 1, timestamp: "2024-07-30T04:00:07Z" } }],

  handler(_params, { view, rules }) {
    const excess = l1ExcessOf(view)
    return { excess, price: priceOf(rules.params.validatorFee, excess), timestamp: chainTimeOf(view) }
  },
})
