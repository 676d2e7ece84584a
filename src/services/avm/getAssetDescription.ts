import { described, string } from "../../jsonrpc/schema/kinds.js"
import { u32Text } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { requireAsset } from "./requireAsset.js"

export const getAssetDescription = method({
  name: "avm.getAssetDescription",
  summary:
    "Returns the name, symbol and denomination of an asset. This node runs no X-Chain and knows only AVAX, the asset that wallets ask for.",
  params: object({ assetID: described(string, "The ID of the asset, or AVAX.") }),
  result: object({
    assetID: id,
    name: string,
    symbol: string,
    denomination: described(u32Text, "The number of decimals of one unit."),
  }),
  examples: [
    {
      params: { assetID: "AVAX" },
      result: {
        assetID: "2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe",
        name: "Avalanche",
        symbol: "AVAX",
        denomination: "9",
      },
    },
  ],

  handler({ assetID }, { rules: { avaxAssetID } }) {
    requireAsset(assetID, avaxAssetID)
    return { assetID: avaxAssetID, name: "Avalanche", symbol: "AVAX", denomination: 9 }
  },
})
