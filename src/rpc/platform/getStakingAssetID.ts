import { idText, PRIMARY_NETWORK_ID } from "../../types/id.js"
import { answer } from "../answer.js"
import { method } from "../method.js"
import { id, object, withDefault } from "../schema.js"
import { requireTransformation } from "./subnets.js"

export const getStakingAssetID = method({
  name: "platform.getStakingAssetID",
  summary: "The asset that is staked on a subnet.",
  params: object({ subnetID: withDefault(id, PRIMARY_NETWORK_ID) }),
  result: answer.object({ assetID: answer.id }),
  examples: [{ params: {}, result: { assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe" } }],

  handler({ subnetID }, { view, rules }) {
    const isPrimary = subnetID === PRIMARY_NETWORK_ID
    return { assetID: idText(isPrimary ? rules.avaxAssetID : requireTransformation(view, subnetID).assetID) }
  },
})
