import { type ByteRoom, defaultOutboundRoom } from "../core/p2p/byteRoom.js"

/** The limits of connections that an operator may change. Times are milliseconds; AvalancheGo's flag is named at each. */
export interface SocketSettings {
  /** `--network-outbound-connection-timeout` */
  readonly dialTimeoutMs: number
  /** `--network-read-handshake-timeout`: how long the TLS handshake of a peer that dials may take. */
  readonly tlsTimeoutMs: number
  /**
   * `--network-inbound-connection-throttling-cooldown`: for how long a second connection from one address is refused, loopback and
   * private addresses excepted; 0: not at all.
   */
  readonly sameAddressMs: number
  /** `--network-inbound-connection-throttling-max-conns-per-sec`: so many connections of all peers are taken in a second; the others wait. */
  readonly connectionsPerSecond: number
  /** Room for bytes that wait to be written. A message to a peer that has none is dropped. */
  readonly outbound: ByteRoom
}

export const defaultSocketSettings: SocketSettings = {
  dialTimeoutMs: 30_000,
  tlsTimeoutMs: 15_000,
  sameAddressMs: 10_000,
  connectionsPerSecond: 256,
  outbound: defaultOutboundRoom,
}
