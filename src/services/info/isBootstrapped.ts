import { chainIDOf } from "../../core/networks/aliases.js"
import { P_CHAIN_ID } from "../../core/types/id.js"
import { bool, described, string } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { infoError } from "./errors.js"

export const isBootstrapped = method({
  name: "info.isBootstrapped",
  summary:
    "Returns whether this node has finished bootstrapping a chain. The node runs only the P-Chain, so that the answer for X and C is always false.",
  params: object({ chain: described(string, "An alias of the chain, such as P, or its ID.") }),
  result: object({ isBootstrapped: bool }),
  examples: [
    { params: { chain: "P" }, result: { isBootstrapped: true } },
    { title: "a chain that this node does not run", params: { chain: "X" }, result: { isBootstrapped: false } },
  ],

  handler({ chain }, { node }) {
    if (chain === "") throw infoError("info.no_chain_given")
    const id = chainIDOf(chain, node.genesis)
    if (id === undefined) throw infoError("info.unknown_chain", { chain })
    return { isBootstrapped: id === P_CHAIN_ID && (node.isBootstrapped?.() ?? true) }
  },
})
