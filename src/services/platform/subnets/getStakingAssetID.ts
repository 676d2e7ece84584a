import { PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { described, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import { method } from "../../context.js"
import { id } from "../../kinds.js"
import { ofState } from "../../lifetimes.js"
import { requireTransformation } from "./subnets.js"

export const getStakingAssetID = method({
  name: "platform.getStakingAssetID",
  summary: "Returns the ID of the asset that is staked on a subnet.",
  params: object({
    subnetID: described(withDefault(id, PRIMARY_NETWORK_ID), "The ID of the subnet; the primary network by default."),
  }),
  result: object({ assetID: id }),
  lifetime: ofState,
  examples: [{ params: {}, result: { assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe" } }],

  handler({ subnetID }, context) {
    if (subnetID === PRIMARY_NETWORK_ID) return { assetID: context.rules.avaxAssetID }
    return { assetID: requireTransformation(context.view, subnetID).assetID }
  },
})
