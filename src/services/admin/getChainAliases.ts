import { aliasesOf } from "../../core/networks/aliases.js"
import { described, list, string } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { id } from "../kinds.js"

export const getChainAliases = method({
  name: "admin.getChainAliases",
  summary: "Returns the names of a chain. A chain that the node does not know has none.",
  params: object({ chain: described(id, "The ID of the chain.") }),
  result: object({ aliases: list(string) }),
  nodeSpecific: true,
  examples: [
    {
      params: { chain: "11111111111111111111111111111111LpoYY" },
      result: { aliases: ["P", "platform", "11111111111111111111111111111111LpoYY"] },
    },
  ],

  handler: ({ chain }, { node }) => ({ aliases: aliasesOf(chain, node.genesis) }),
})
