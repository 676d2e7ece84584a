import { idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { height, id } from "../../kinds.js"
import { requireReached } from "../params/heights.js"
import { heightOf, ofSetsAt, printSetAt } from "./pastSets.js"
import { validatorSetOutput } from "./setSchemas.js"

export const getValidatorsAt = method({
  name: "platform.getValidatorsAt",
  summary:
    "Returns the weight, including delegations, and the BLS key of each validator of a subnet after the block at the given height. The inactive validators of an L1 are summed under the empty node ID.",
  params: object({
    height: described(withDefault(height, 0n), "The height, or `proposed` for the height that a block built now would name."),
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The ID of the subnet; the primary network by default."),
  }),
  result: validatorSetOutput,
  cost: 5,
  lifetime: ofSetsAt,
  examples: [
    {
      title: "an L1 with an inactive validator",
      params: { height: 6, subnetID: "2N32bXsQhwsHnoLCmafDZAPcp3gGqrVBeQXnBjKHaSJv24EsfR" },
      result: {
        validators: { "NodeID-111111111111111111116DBWJs": 50, "NodeID-42AzCjVmuXmniTybz4BafUHpiKK4tV9J2": 100 },
        publicKeys: {
          "NodeID-42AzCjVmuXmniTybz4BafUHpiKK4tV9J2":
            "0x900c9b119b5c82d781d4b49be78c3fc7ae65f2b435b7ed9e3a8b9a03e475edff86d8a64827fec8db23a6f236afbf127d",
        },
      },
    },
  ],

  async handler({ height, subnetID }, context, { pace }) {
    const at = heightOf(height, context)
    requireReached(at, context, (h) => `failed to get validator set at ${h}: ${UNFINALIZED} with SubnetID = ${idText(subnetID)}`)
    return printSetAt(context, subnetID, at, pace)
  },
})

/** Start of AvalancheGo's message for a height above the last accepted one. */
export const UNFINALIZED = "failed to fetch validator set at unfinalized height"
