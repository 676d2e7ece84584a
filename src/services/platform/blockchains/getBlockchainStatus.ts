import { Invalid } from "../../../core/lib/invalid.js"
import { tables } from "../../../core/state/tables.js"
import { type ID, P_CHAIN_ID, PRIMARY_NETWORK_ID, parseID } from "../../../core/types/id.js"
import { described, oneOf, string, withDefault } from "../../../jsonrpc/schema/kinds.js"
import { object } from "../../../jsonrpc/schema/object.js"
import type { Context } from "../../context.js"
import { method } from "../../context.js"
import { ofStateAnd } from "../../lifetimes.js"
import { platformError } from "../errors.js"
import { chainOf } from "../params/aliases.js"

export const getBlockchainStatus = method({
  name: "platform.getBlockchainStatus",
  summary:
    "Returns the status of a blockchain: this node validates it or follows it, it exists, its creation is not accepted yet, or it is unknown.",
  params: object({
    blockchainID: described(withDefault(string, ""), "The ID of the blockchain, or an alias such as P, X or C."),
  }),
  result: object({ status: oneOf("Validating", "Syncing", "Created", "Preferred", "Unknown") }),
  // A blockchain whose transaction is not accepted yet may become known before the next block.
  lifetime: {
    ...ofStateAnd("the L1s that run here", ({ node }) =>
      (node.vms?.chains() ?? []).map(({ chainID, isRunning }) => chainID + isRunning).join(),
    ),
    keeps: ({ status }: { readonly status: string }) => status === "Validating" || status === "Syncing" || status === "Created",
  },
  examples: [
    { title: "this chain, on a node that validates it", params: { blockchainID: "P" }, result: { status: "Validating" } },
    {
      title: "another one",
      params: { blockchainID: "d3hhT7wgDEWVKCfV3GHMFcWAnhGAxVPp6Bt5ecsfk75iA1y5R" },
      result: { status: "Created" },
    },
  ],

  handler({ blockchainID }, context) {
    if (blockchainID === "") throw platformError("platform.no_blockchain")
    const chainID = chainOf(context, blockchainID) ?? parse(blockchainID)
    return { status: chainID === P_CHAIN_ID ? ownStatus(context) : statusOf(chainID, context) }
  },
})

function parse(text: string): ID {
  try {
    return parseID(text)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const { sentence: reason, avalanchegoMessage: reference } = error
    throw platformError("platform.bad_blockchain", { blockchainID: text, reason, reference })
  }
}

/** The P-Chain is the chain that this node runs. A public server does not reveal whether it validates it. */
function ownStatus({ view, node }: Context) {
  if (node.hidesIdentity) return "Syncing" as const
  const isValidator = view.get(tables.members, { subnetID: PRIMARY_NETWORK_ID, nodeID: node.identity.nodeID }) !== undefined
  return isValidator ? ("Validating" as const) : ("Syncing" as const)
}

function statusOf(chainID: ID, { view, node }: Context) {
  const hosted = node.vms?.chains().find((each) => each.chainID === chainID)
  if (hosted?.isRunning) {
    const isValidator = view.get(tables.members, { subnetID: hosted.subnetID, nodeID: node.identity.nodeID }) !== undefined
    return isValidator ? ("Validating" as const) : ("Syncing" as const)
  }
  if (view.get(tables.chains, chainID)) return "Created" as const
  return node.preferredState?.().get(tables.chains, chainID) ? ("Preferred" as const) : ("Unknown" as const)
}
