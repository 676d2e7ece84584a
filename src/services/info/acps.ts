import { toJson } from "../../core/codec/valueSink.js"
import { currentACPs } from "../../core/networks/acps.js"
import { type NodeID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { described, list } from "../../jsonrpc/schema/kinds.js"
import { u32Text, u64 } from "../../jsonrpc/schema/numbers.js"
import { nothing, object } from "../../jsonrpc/schema/object.js"
import { map } from "../../jsonrpc/schema/outputs.js"
import { type ConnectedPeer, method } from "../context.js"
import { nodeID } from "../kinds.js"
import { currentSetOf } from "../platform/validatorSets/weights.js"

const preferences = object({
  supportWeight: described(u64, "The stake that supports the proposal, in nAVAX."),
  supporters: list(nodeID),
  objectWeight: described(u64, "The stake that objects to the proposal, in nAVAX."),
  objectors: list(nodeID),
  abstainWeight: described(u64, "The stake that has no opinion on the proposal, in nAVAX."),
})

export const acps = method({
  name: "info.acps",
  summary:
    "Returns the stake that supports and that objects to each Avalanche Community Proposal (ACP), as announced by the connected peers.",
  params: nothing,
  result: object({ acps: map(u32Text, preferences, "ACP number") }),
  examples: [
    {
      title: "A node without peers, which knows of no support and no objection",
      params: {},
      result: {
        acps: Object.fromEntries(currentACPs.map((acp) => [acp, toJson(preferences, withoutVotes(10_000_000_000_000_000n), {})])),
      },
    },
  ],

  // The node's own preference does not count.
  async handler(_params, context, { pace }) {
    const weights = await currentSetOf(context, PRIMARY_NETWORK_ID, pace)
    let total = 0n
    for (const { weight } of weights.values()) total += weight
    const votes = new Map(currentACPs.map((acp) => [acp, withoutVotes(total)]))
    for (const peer of context.node.peers?.() ?? []) count(peer, weights.get(peer.nodeID)?.weight ?? 0n, votes)
    return { acps: votes }
  },
})

/** The stake for and against a proposal, while it is counted. */
interface Votes {
  supportWeight: bigint
  readonly supporters: NodeID[]
  objectWeight: bigint
  readonly objectors: NodeID[]
  abstainWeight: bigint
}

function withoutVotes(total: bigint): Votes {
  return { supportWeight: 0n, supporters: [], objectWeight: 0n, objectors: [], abstainWeight: total }
}

function count({ nodeID, supportedACPs, objectedACPs }: ConnectedPeer, weight: bigint, votes: ReadonlyMap<number, Votes>): void {
  if (weight === 0n) return
  for (const [acp, each] of votes) {
    if (supportedACPs.includes(acp)) {
      each.supportWeight += weight
      each.supporters.push(nodeID)
    } else if (objectedACPs.includes(acp)) {
      each.objectWeight += weight
      each.objectors.push(nodeID)
    } else continue
    each.abstainWeight -= weight
  }
}
