import { type ByteRoom, defaultOutboundRoom } from "../core/p2p/byteRoom.js"

/** The limits of connections that an operator may change. Times are milliseconds; each names AvalancheGo's flag. */
export interface SocketSettings {
  /** `--network-outbound-connection-timeout` */
  readonly dialTimeoutMs: number
  /** `--network-read-handshake-timeout`: the timeout of the TLS handshake of a peer that dials. */
  readonly tlsTimeoutMs: number
  /**
   * `--network-inbound-connection-throttling-cooldown`: the time for which a second connection from one address is refused, except for
   * loopback and private addresses; 0 disables it.
   */
  readonly sameAddressMs: number
  /**
   * `--network-inbound-connection-throttling-max-conns-per-sec`: the number of connections of all peers that are accepted in a second;
   * others wait.
   */
  readonly connectionsPerSecond: number
  /** The limit of bytes that wait to be written. A message to a peer beyond it is dropped. */
  readonly outbound: ByteRoom
}

export const defaultSocketSettings: SocketSettings = {
  dialTimeoutMs: 30_000,
  tlsTimeoutMs: 15_000,
  sameAddressMs: 10_000,
  connectionsPerSecond: 256,
  outbound: defaultOutboundRoom,
}
