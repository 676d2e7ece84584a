import type { NodeID } from "../types/id.js"
import type { FrameReader } from "./frame.js"
import type { PeerDescription } from "./handshake.js"
import type { ConnectionID } from "./inbox.js"
import type { IpPort } from "./ipPort.js"
import type { RateLimit } from "./rateLimit.js"
import type { PeerClock, PeerSession, UptimeReport } from "./session.js"

/** A TLS connection and the protocol on it. Times are Unix milliseconds. */
export interface Connection {
  readonly id: ConnectionID
  readonly session: PeerSession
  readonly frames: FrameReader
  readonly bandwidth: RateLimit
  /** The other end of the socket. */
  readonly address: IpPort
  /** True if the other node dialed this one. */
  readonly isInbound: boolean
  lastSent: number
  lastReceived: number
}

/** A peer whose handshake is complete, for `info.peers`. */
export interface PeerStatus extends Pick<Connection, "address" | "lastSent" | "lastReceived"> {
  readonly nodeID: NodeID
  readonly description: PeerDescription
  /** The peer's last report of this node's uptime. */
  readonly uptimeReport: UptimeReport | undefined
  readonly clock: PeerClock
}

/** The connections of a node, by their number and by the other node. There is at most one connection to a node. */
export class Connections {
  readonly #byID = new Map<ConnectionID, Connection>()
  readonly #byNode = new Map<NodeID, Connection>()

  add(connection: Connection): void {
    this.#byID.set(connection.id, connection)
    this.#byNode.set(connection.session.remote.nodeID, connection)
  }

  get(id: ConnectionID): Connection | undefined {
    return this.#byID.get(id)
  }

  /** The connection to a node, whether its handshake is complete or not. */
  to(nodeID: NodeID): Connection | undefined {
    return this.#byNode.get(nodeID)
  }

  /** Forgets a connection that ended, and returns it. */
  remove(id: ConnectionID): Connection | undefined {
    const connection = this.#byID.get(id)
    if (!connection) return undefined
    this.#byID.delete(id)
    this.#byNode.delete(connection.session.remote.nodeID)
    return connection
  }

  /** Number of connections that other nodes have opened. */
  get inboundCount(): number {
    let count = 0
    for (const { isInbound } of this.#byID.values()) if (isInbound) count++
    return count
  }

  /** All connections, as they are now: some may be removed meanwhile. */
  all(): Connection[] {
    return [...this.#byID.values()]
  }

  connectedNodes(): NodeID[] {
    return this.all().flatMap(({ session }) => (session.isConnected ? [session.remote.nodeID] : []))
  }

  status(): PeerStatus[] {
    return this.all().flatMap(({ session, address, lastSent, lastReceived }) => {
      const { description, uptimeReport, remote, clock } = session
      if (!session.isConnected || !description || !clock) return []
      return [{ nodeID: remote.nodeID, address, description, lastSent, lastReceived, uptimeReport, clock }]
    })
  }
}
