import { idText, PRIMARY_NETWORK_ID } from "../../../core/types/id.js"
import { answer } from "../../../jsonrpc/result.js"
import { object, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { method } from "../../context.js"
import { id } from "../../params.js"
import { requireTransformation } from "./subnets.js"

export const getStakingAssetID = method({
  name: "platform.getStakingAssetID",
  summary: "The asset that is staked on a subnet.",
  params: object({ subnetID: withDefault(id, PRIMARY_NETWORK_ID) }),
  result: answer.object({ assetID: answer.id }),
  examples: [{ params: {}, result: { assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe" } }],

  handler({ subnetID }, context) {
    const isPrimary = subnetID === PRIMARY_NETWORK_ID
    const assetID = isPrimary ? context.rules.avaxAssetID : requireTransformation(context.view, subnetID).assetID
    // Wallets ask for this one before everything else.
    return { assetID: isPrimary ? context.cached("platform.getStakingAssetID", () => idText(assetID)) : idText(assetID) }
  },
})
