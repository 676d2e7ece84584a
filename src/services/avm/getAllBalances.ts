import { bool, described, list, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { u64 } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { requirePrivateChain } from "./requirePrivateChain.js"

export const getAllBalances = method({
  name: "avm.getAllBalances",
  summary:
    "Returns what an address owns on the X-Chain, by asset. A private chain has no X-Chain, so the list is empty. A node of another network refuses the call.",
  params: object({
    address: described(string, "The X-Chain address."),
    includePartial: described(withDefault(bool, false), "Whether outputs that are locked or have several owners count."),
  }),
  result: object({ balances: list(object({ asset: string, balance: described(u64, "In the smallest unit of the asset.") })) }),
  examples: [{ params: { address: "X-local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u" }, result: { balances: [] } }],

  handler(_params, { node }) {
    requirePrivateChain(node)
    return { balances: [] }
  },
})
