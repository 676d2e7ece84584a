import { requireChainID } from "../../core/networks/aliases.js"
import { idText } from "../../core/types/id.js"
import { answer } from "../../jsonrpc/result.js"
import { described, object, string } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"

export const getBlockchainID = method({
  name: "info.getBlockchainID",
  summary: "The ID of a chain by one of its names: P, X, C, or the ID itself.",
  params: object({ alias: described(string, "a name of the chain, in exactly this spelling") }),
  result: answer.object({ blockchainID: answer.id }),
  examples: [
    { params: { alias: "P" }, result: { blockchainID: "11111111111111111111111111111111LpoYY" } },
    { params: { alias: "X" }, result: { blockchainID: "2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed" } },
  ],

  handler: ({ alias }, { node }) => ({ blockchainID: idText(requireChainID(alias, node.genesis)) }),
})
