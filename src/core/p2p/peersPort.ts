import type { Crypto } from "../crypto/crypto.js"
import type { Invalid } from "../lib/invalid.js"
import type { Upgrades } from "../networks/upgrades.js"
import type { NodeID } from "../types/id.js"
import type { BootstrapNode } from "./addressBook.js"
import type { Introduction } from "./handshake.js"
import type { ConnectionID } from "./inbox.js"
import type { IpPort } from "./ipPort.js"
import type { ChainMessage, Compression } from "./message.js"
import type { PeerSettings } from "./peerSettings.js"
import type { Random } from "./random.js"
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
  /** Called with a fault in Serac while something of a peer was handled. It ends the connection. */
  fault(nodeID: NodeID, error: unknown): void
}

export interface PeersOptions {
  readonly crypto: Crypto
  readonly nodeID: NodeID
  readonly introduction: Introduction
  readonly upgrades: Upgrades
  readonly bootstrappers: readonly BootstrapNode[]
  /** True if private addresses are dialed; bootstrappers always are. */
  readonly dialsPrivate: boolean
  readonly compression: Compression
  /** True if the messages that AvalancheGo compresses are compressed; true by default. */
  readonly compresses?: boolean
  /** The settings of peers; AvalancheGo's by default. */
  readonly settings?: PeerSettings
  readonly random: Random
  /** Returns whether the TLS of this machine can read a node's certificate (DER); it can by default. */
  canConnect?(certificate: Uint8Array): boolean
  /** This node's own address, signed. */
  signedIp(): SignedIp
  /** Returns the machine's clock, Unix seconds, if the times of inputs come from a monotonic clock; by default those times are used. */
  unixSeconds?(): bigint
  /** Returns milliseconds of a clock that runs while a message is handled; by default handling takes no time. */
  stopwatch?(): number
}
