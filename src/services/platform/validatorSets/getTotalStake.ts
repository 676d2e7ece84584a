import { MAX64 } from "../../../core/lib/math64.js"
import { idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, optional, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { u64 } from "../../../jsonrpc/schema/numbers.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { platformError } from "../errors.js"
import { weightsOf } from "./weights.js"

export const getTotalStake = method({
  name: "platform.getTotalStake",
  summary:
    "Returns the total weight of the validators of a subnet. It includes delegations and the inactive validators of an L1.",
  params: object({
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The ID of the subnet; the primary network by default."),
  }),
  result: object({
    stake: optional(described(u64, "The same value under its old name, in nAVAX; present only for the primary network.")),
    weight: described(u64, "The total in nAVAX on the primary network, otherwise in the units of the subnet."),
  }),
  lifetime: ofState,
  examples: [
    { title: "of the primary network", params: {}, result: { stake: "10000000000000000", weight: "10000000000000000" } },
    {
      title: "of a subnet",
      params: { subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR" },
      result: { weight: "150" },
    },
  ],

  async handler({ subnetID }, context, { pace }) {
    const hasStake = subnetID === PRIMARY_NETWORK_ID || context.dialect === "avalanchego"
    const { total: weight } = await weightsOf(context, subnetID, pace)
    if (weight > MAX64) {
      const reference = `couldn't get total weight: total weight is not a uint64, total weight: ${weight}`
      throw platformError("platform.weight_overflow", { subnetID: idText(subnetID), weight, reference })
    }
    return hasStake ? { stake: weight, weight } : { weight }
  },
})
