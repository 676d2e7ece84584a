import { defaultOutboundRoom } from "../core/p2p/byteRoom.js"

/**
 * The limits of connections that an operator may change, with AvalancheGo's defaults. Times are milliseconds; AvalancheGo's flag is named at
 * each.
 */
export const defaultSocketSettings = {
  /** `--network-outbound-connection-timeout` */
  dialTimeoutMs: 30_000,
  /** `--network-read-handshake-timeout`: the timeout of the TLS handshake of a peer that dials. */
  tlsTimeoutMs: 15_000,
  /**
   * `--network-inbound-connection-throttling-cooldown`: the time for which a second connection from one address is refused, except for
   * loopback and private addresses; 0 disables it.
   */
  sameAddressMs: 10_000,
  /**
   * `--network-inbound-connection-throttling-max-conns-per-sec`: the number of connections of all peers that are accepted in a second;
   * others wait.
   */
  connectionsPerSecond: 256,
  /** The limit of bytes that wait to be written. A message to a peer beyond it is dropped. */
  outbound: defaultOutboundRoom,
}

export type SocketSettings = Readonly<typeof defaultSocketSettings>
