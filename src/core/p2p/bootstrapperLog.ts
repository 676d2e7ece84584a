import type { Log } from "../lib/log.js"
import { type NodeID, nodeIDText } from "../types/id.js"
import type { BootstrapNode } from "./addressBook.js"
import { ipPortText } from "./ipPort.js"

/**
 * Warns once about each bootstrapper that cannot be used, with the reason, because the operator may have given a wrong address, node ID or
 * network.
 */
export class BootstrapperLog {
  readonly #log: Log
  readonly #addresses: ReadonlyMap<NodeID, string>
  readonly #warned = new Set<NodeID>()
  readonly #connected = new Set<NodeID>()
  readonly #refusedBy = new Set<NodeID>()

  constructor(bootstrappers: readonly BootstrapNode[], log: Log) {
    this.#log = log
    this.#addresses = new Map(bootstrappers.map(({ nodeID, address }) => [nodeID, ipPortText(address)]))
  }

  connected(nodeID: NodeID): void {
    if (this.#addresses.has(nodeID)) this.#connected.add(nodeID)
  }

  /**
   * Called when a node has closed the connection. Once before the handshake is normal, because both sides may have dialed at the same time.
   */
  closedByPeer(nodeID: NodeID): void {
    if (!this.#addresses.has(nodeID) || this.#connected.has(nodeID)) return
    if (this.#refusedBy.has(nodeID))
      this.failed(
        nodeID,
        "it ends connections before the handshake: is it of this network, are both clocks right, and does no other node run with these keys?",
      )
    this.#refusedBy.add(nodeID)
  }

  /** Called when a node could not be reached, or when a connection to it ended for this reason. */
  failed(nodeID: NodeID, reason: string): void {
    const address = this.#addresses.get(nodeID)
    if (address === undefined || this.#warned.has(nodeID)) return
    this.#warned.add(nodeID)
    this.#log.warn("a bootstrapper cannot be used", { nodeID: nodeIDText(nodeID), address, reason })
  }
}
