import { PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { requireTransformation } from "./subnets.js"

export const getMinStake = method({
  name: "platform.getMinStake",
  summary: "Returns the smallest stake of a validator and of a delegator of a subnet, in the smallest unit of its staking asset.",
  params: object({
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The ID of the subnet; the primary network by default."),
  }),
  result: object({
    minValidatorStake: described(u64, "In nAVAX on the primary network."),
    minDelegatorStake: described(u64, "In nAVAX on the primary network."),
  }),
  lifetime: ofState,
  examples: [{ params: {}, result: { minValidatorStake: "2000000000000", minDelegatorStake: "25000000000" } }],

  handler({ subnetID }, { view, rules }) {
    return subnetID === PRIMARY_NETWORK_ID ? rules.params.staking : requireTransformation(view, subnetID)
  },
})
