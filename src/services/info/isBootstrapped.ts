import { chainIDOf } from "../../core/networks/aliases.js"
import { idText, P_CHAIN_ID } from "../../core/types/id.js"
import { bool, described, string } from "../../jsonrpc/schema/kinds.js"
import { object } from "../../jsonrpc/schema/object.js"
import { method } from "../context.js"
import { ofStateAnd } from "../lifetimes.js"
import { infoError } from "./errors.js"

export const isBootstrapped = method({
  name: "info.isBootstrapped",
  summary:
    "Returns whether this node has finished bootstrapping a chain. The node runs the P-Chain and the L1s that it hosts. The answer for another chain is true if `--chain-proxy` names a node that runs it, and false otherwise.",
  params: object({ chain: described(string, "An alias of the chain, such as P, or its ID.") }),
  result: object({ isBootstrapped: bool }),
  lifetime: ofStateAnd("the progress of bootstrapping", ({ node }) => {
    const running = node.vms?.chains().filter(({ isRunning }) => isRunning) ?? []
    return [String(node.isBootstrapped?.() ?? true), ...running.map(({ chainID }) => chainID)].join(" ")
  }),
  examples: [
    { params: { chain: "P" }, result: { isBootstrapped: true } },
    { title: "a chain that this node does not run", params: { chain: "X" }, result: { isBootstrapped: false } },
  ],

  handler({ chain }, { node }) {
    if (chain === "") throw infoError("info.no_chain_given")
    const { proxiedChains = [] } = node
    const hosted = node.vms?.chains().find(({ name, chainID }) => name === chain || idText(chainID) === chain)
    if (hosted) return { isBootstrapped: hosted.isRunning }
    const id = chainIDOf(chain, node.genesis) ?? proxiedChains.find((each) => idText(each) === chain)
    if (id === undefined) throw infoError("info.unknown_chain", { chain })
    if (proxiedChains.includes(id)) return { isBootstrapped: true }
    return { isBootstrapped: id === P_CHAIN_ID && (node.isBootstrapped?.() ?? true) }
  },
})
