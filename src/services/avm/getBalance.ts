import { bool, described, list, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u32, u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { requireAsset } from "./requireAsset.js"
import { requirePrivateChain } from "./requirePrivateChain.js"

export const getBalance = method({
  name: "avm.getBalance",
  summary:
    "Returns what an address owns of an asset on the X-Chain. A private chain has no X-Chain, so the balance is 0. A node of another network refuses the call.",
  params: object({
    address: described(string, "The X-Chain address."),
    assetID: described(string, "The ID of the asset, or AVAX."),
    includePartial: described(withDefault(bool, false), "Whether outputs that are locked or have several owners count."),
  }),
  result: object({
    balance: described(u64, "In the smallest unit of the asset."),
    utxoIDs: list(object({ txID: id, outputIndex: u32 })),
  }),
  examples: [
    {
      params: { address: "X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u", assetID: "AVAX" },
      result: { balance: "0", utxoIDs: [] },
    },
  ],

  handler({ assetID }, { node, rules: { avaxAssetID } }) {
    requirePrivateChain(node)
    requireAsset(assetID, avaxAssetID)
    return { balance: 0n, utxoIDs: [] }
  },
})
