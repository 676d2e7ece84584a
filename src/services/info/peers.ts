import { answer } from "../../jsonrpc/result.js"
import { list, object, withDefault } from "../../jsonrpc/schema/kinds.js"
import { method } from "../context.js"
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

  handler: () => ({ numPeers: "0", peers: [] }),
})
