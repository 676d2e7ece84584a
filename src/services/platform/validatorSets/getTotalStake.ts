import { PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { answer } from "../../../jsonrpc/result.js"
import { object, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"
import { id } from "../../params.js"
import { weightsOf } from "./weights.js"

export const getTotalStake = method({
  name: "platform.getTotalStake",
  summary: "What all validators of a subnet weigh together, with delegations and, of an L1, inactive validators.",
  params: object({ subnetID: withDefault(id, PRIMARY_NETWORK_ID) }),
  result: answer.object({
    stake: answer.optional(answer.described(answer.digits, "of the primary network: the same, by its old name")),
    weight: answer.digits,
  }),
  examples: [
    { title: "of the primary network", params: {}, result: { stake: "10000000000000000", weight: "10000000000000000" } },
    {
      title: "of a subnet",
      params: { subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR" },
      result: { weight: "150" },
    },
  ],

  handler({ subnetID }, context) {
    const weight = weightsOf(context, subnetID).total.toString()
    const hasStake = subnetID === PRIMARY_NETWORK_ID || context.dialect === "avalanchego"
    return hasStake ? { stake: weight, weight } : { weight }
  },
})
