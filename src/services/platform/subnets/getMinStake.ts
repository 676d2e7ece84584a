import { PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { answer } from "../../../jsonrpc/result.js"
import { object, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"
import { id } from "../../params.js"
import { requireTransformation } from "./subnets.js"

export const getMinStake = method({
  name: "platform.getMinStake",
  summary: "The least that a validator and a delegator of a subnet must stake, in the smallest unit of its staking asset.",
  params: object({ subnetID: withDefault(id, PRIMARY_NETWORK_ID) }),
  result: answer.object({ minValidatorStake: answer.digits, minDelegatorStake: answer.digits }),
  examples: [{ params: {}, result: { minValidatorStake: "2000000000000", minDelegatorStake: "25000000000" } }],

  handler({ subnetID }, { view, rules }) {
    const limits = subnetID === PRIMARY_NETWORK_ID ? rules.params.staking : requireTransformation(view, subnetID)
    const { minValidatorStake, minDelegatorStake } = limits
    return { minValidatorStake: minValidatorStake.toString(), minDelegatorStake: minDelegatorStake.toString() }
  },
})
