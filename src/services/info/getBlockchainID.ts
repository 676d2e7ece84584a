import { requireChainID } from "../../core/networks/aliases.js"
import { described, string } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { id } from "../kinds.js"
import { forEver } from "../lifetimes.js"

export const getBlockchainID = method({
  name: "info.getBlockchainID",
  summary: "Returns the ID of a chain that is given by an alias (P, X, C) or by the ID itself.",
  params: object({ alias: described(string, "An alias of the chain; upper and lower case are distinguished.") }),
  result: object({ blockchainID: id }),
  lifetime: forEver,
  examples: [
    { params: { alias: "P" }, result: { blockchainID: "11111111111111111111111111111111LpoYY" } },
    { params: { alias: "X" }, result: { blockchainID: "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed" } },
  ],

  handler: ({ alias }, { node }) => ({ blockchainID: requireChainID(alias, node.genesis) }),
})
