import { idText, nodeIDText, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { answer } from "../../jsonrpc/result.js"
import { list, object, withDefault } from "../../jsonrpc/schema/kinds.js"
import { type ConnectedPeer, method } from "../context.js"
import { nodeID } from "../params.js"

const peer = answer.object({
  ip: answer.string,
  publicIP: answer.string,
  nodeID: answer.nodeID,
  version: answer.string,
  upgradeTime: answer.integer,
  lastSent: answer.time,
  lastReceived: answer.time,
  observedUptime: answer.described(answer.digits, "percent"),
  trackedSubnets: answer.list(answer.id),
  supportedACPs: answer.list(answer.integer),
  objectedACPs: answer.list(answer.integer),
  benched: answer.described(answer.list(answer.string), "IDs of chains; under the avalanchego dialect their names"),
})

export const peers = method({
  name: "info.peers",
  summary:
    "The nodes this one is connected to, all or those asked for. A node of a private chain, or one that serves a replayed chain, has none.",
  params: object({ nodeIDs: withDefault(list(nodeID), []) }),
  result: answer.object({ numPeers: answer.digits, peers: answer.list(peer) }),
  examples: [{ params: {}, result: { numPeers: "0", peers: [] } }],

  handler({ nodeIDs }, { node }) {
    const all = node.peers?.() ?? []
    const asked = nodeIDs.flatMap((nodeID) => all.find((each) => each.nodeID === nodeID) ?? [])
    const shown = nodeIDs.length === 0 ? all : asked
    return { numPeers: shown.length.toString(), peers: shown.map(recordOf) }
  },
})

/** AvalancheGo sorts these lists as JSON text. */
const sortedAsText = (numbers: readonly number[]) => [...numbers].map(String).sort().map(Number)

function recordOf(peer: ConnectedPeer) {
  return {
    ip: peer.ip,
    publicIP: peer.publicIP,
    nodeID: nodeIDText(peer.nodeID),
    version: peer.version,
    upgradeTime: Number(peer.upgradeTime),
    lastSent: secondText(peer.lastSent),
    lastReceived: secondText(peer.lastReceived),
    observedUptime: peer.observedUptime.toString(),
    trackedSubnets: [PRIMARY_NETWORK_ID, ...peer.trackedSubnets].map(idText).sort(),
    supportedACPs: sortedAsText(peer.supportedACPs),
    objectedACPs: sortedAsText(peer.objectedACPs),
    benched: [],
  }
}

/** RFC 3339 with whole seconds, in UTC. */
function secondText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z")
}
