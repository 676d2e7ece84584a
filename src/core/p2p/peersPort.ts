import type { Invalid } from "../lib/invalid.js"
import type { Upgrades } from "../networks/upgrades.js"
import type { NodeID } from "../types/id.js"
import type { BootstrapNode } from "./addressBook.js"
import type { Introduction } from "./handshake.js"
import type { ConnectionID } from "./inbox.js"
import type { IpPort } from "./ipPort.js"
import type { Compression } from "./message.js"
import type { PeerSettings } from "./peerSettings.js"
import type { Random } from "./random.js"
import type { ChainMessage } from "./session.js"
import type { SignedIp } from "./signedIp.js"

/** Effects of the peer protocol: the sockets below it and the engine above it. Times are Unix milliseconds. */
export interface PeersPort {
  /** Writes a frame to a connection. False if too much waits to be written already, and the frame was dropped. */
  write(connection: ConnectionID, frame: Uint8Array): boolean
  close(connection: ConnectionID, reason: Invalid): void
  /** Dials a node; then `open` or `dialFailed` is called. */
  dial(nodeID: NodeID, address: IpPort): void
  connected(nodeID: NodeID): void
  disconnected(nodeID: NodeID): void
  message(nodeID: NodeID, message: ChainMessage, now: number): void
  /** This node's opinion of a peer's uptime, whole percent. */
  uptimeOf(nodeID: NodeID): number
}

/** Options of the peer protocol. */
export interface PeersOptions {
  readonly nodeID: NodeID
  readonly introduction: Introduction
  readonly upgrades: Upgrades
  readonly bootstrappers: readonly BootstrapNode[]
  /** Whether private addresses are dialed; bootstrappers always are. */
  readonly dialsPrivate: boolean
  readonly compression: Compression
  /** Whether messages are compressed where AvalancheGo compresses them; left out: yes. */
  readonly compresses?: boolean
  /** Left out: AvalancheGo's defaults. */
  readonly settings?: PeerSettings
  readonly random: Random
  /** This node's own address, signed. */
  signedIp(): SignedIp
  /** The machine's clock, Unix seconds, where the times of inputs come from a clock that is never set; left out: those times. */
  unixSeconds?(): bigint
  /** A clock that runs on while a message is handled, milliseconds; left out, handling takes no time. */
  stopwatch?(): number
}
