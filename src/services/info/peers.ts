import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { type ID, idText, P_CHAIN_ID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { described, list, string, withDefault } from "../../jsonrpc/schema/kinds.js"
import { integer, u32Text } from "../../jsonrpc/schema/numbers.js"
import { object } from "../../jsonrpc/schema/object.js"
import { time } from "../../jsonrpc/schema/outputs.js"
import type { Dialect } from "../../jsonrpc/schema/param.js"
import { type ConnectedPeer, method } from "../context.js"
import { id, nodeID } from "../kinds.js"

const peer = object({
  ip: string,
  publicIP: string,
  nodeID,
  version: string,
  upgradeTime: integer,
  lastSent: time,
  lastReceived: time,
  observedUptime: described(u32Text, "The uptime of the peer that this node observed, in percent."),
  trackedSubnets: list(id),
  supportedACPs: list(integer),
  objectedACPs: list(integer),
  benched: described(
    list(string),
    "The IDs of the chains for which the peer is benched. In the avalanchego dialect these are aliases.",
  ),
})

export const peers = method({
  name: "info.peers",
  summary:
    "Returns the peers that this node is connected to, or only those with the given node IDs. A node with a private chain or with a replayed chain has no peers.",
  params: object({ nodeIDs: described(withDefault(list(nodeID), []), "The node IDs of the peers; all peers by default.") }),
  result: object({ numPeers: u32Text, peers: list(peer) }),
  examples: [{ params: {}, result: { numPeers: "0", peers: [] } }],

  handler({ nodeIDs }, { node, dialect }) {
    const all = node.peers?.() ?? []
    const byID = new Map(all.map((peer) => [peer.nodeID, peer]))
    const shown = nodeIDs.length === 0 ? all : nodeIDs.flatMap((nodeID) => byID.get(nodeID) ?? [])
    return { numPeers: shown.length, peers: shown.map((peer) => recordOf(peer, dialect)) }
  },
})

function recordOf({ isBenched, ...peer }: ConnectedPeer, dialect: Dialect) {
  return {
    ...peer,
    lastSent: wholeSeconds(peer.lastSent),
    lastReceived: wholeSeconds(peer.lastReceived),
    trackedSubnets: sortedAsText([PRIMARY_NETWORK_ID, ...peer.trackedSubnets], idText) as readonly ID[],
    supportedACPs: sortedAsText(peer.supportedACPs, String),
    objectedACPs: sortedAsText(peer.objectedACPs, String),
    benched: isBenched ? [dialect === "avalanchego" ? "P" : idText(P_CHAIN_ID)] : [],
  }
}

/** AvalancheGo sorts these lists by their JSON text. */
function sortedAsText<T>(values: readonly T[], textOf: (value: T) => string): readonly T[] {
  const texts = values.map((value) => ({ value, text: textOf(value) }))
  return texts.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ value }) => value)
}
