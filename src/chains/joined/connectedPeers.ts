import { clientVersionText } from "../../core/p2p/clientVersion.js"
import type { PeerStatus } from "../../core/p2p/connections.js"
import { ipPortText } from "../../core/p2p/ipPort.js"
import type { ConnectedPeer } from "../../services/context.js"

/**
 * Describes a peer for `info.peers`. `clockStep` is the number of milliseconds by which the machine's clock is ahead of the clock of these
 * times.
 */
export function connectedPeerOf(status: PeerStatus, isBenched: boolean, clockStep: number): ConnectedPeer {
  const { nodeID, address, description, lastSent, lastReceived, observedUptime } = status
  return {
    nodeID,
    ip: ipPortText(address),
    publicIP: ipPortText(description.ip),
    version: clientVersionText(description.version),
    upgradeTime: description.upgradeTime,
    lastSent: lastSent + clockStep,
    lastReceived: lastReceived + clockStep,
    observedUptime,
    trackedSubnets: description.trackedSubnets,
    supportedACPs: description.acps.supported,
    objectedACPs: description.acps.objected,
    isBenched,
  }
}
