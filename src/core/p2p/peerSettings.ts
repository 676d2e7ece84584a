import { defaultInboxLimits } from "./inbox.js"
import { defaultBandwidth } from "./rateLimit.js"

/**
 * The numbers of the peer protocol that an operator may change, with AvalancheGo's defaults. Times are milliseconds; AvalancheGo's flag is
 * named at each.
 */
export const defaultPeerSettings = {
  /** `--network-ping-frequency`: the interval of pings. */
  pingIntervalMs: 22_500,
  /** `--network-ping-timeout`: the time for which a peer may send nothing. */
  readTimeoutMs: 30_000,
  /** `--network-max-clock-difference`: the maximum difference between a peer's clock and this node's. */
  maxClockDifferenceMs: 60_000,
  /** `--network-maximum-inbound-timeout`: the maximum time in which a request of a peer is answered, whatever its deadline. */
  maxDeadlineMs: 10_000,
  /** `--network-initial-reconnect-delay` */
  firstRedialMs: 1_000,
  /** `--network-max-reconnect-delay`: the delay stays at 75 to 100 % of it. */
  maxRedialMs: 60_000,
  /** `--network-outbound-connection-throttling-rps`: the most nodes that are dialed in a second. */
  dialsPerSecond: 50,
  /** `--network-peer-list-num-validator-ips`: the maximum number of addresses in one peer list. */
  peerListSize: 15,
  /** `--network-peer-list-pull-gossip-frequency`: the interval at which a validator is asked for addresses. */
  peerListIntervalMs: 2_000,
  /** `--network-peer-list-bloom-reset-frequency`: the time for which a filter of known addresses is used. */
  filterAgeMs: 60_000,
  /** `--network-require-validator-to-connect`: whether only validators and bootstrappers may be peers of a node that does not validate. */
  requiresValidators: false,
  /** `--throttler-inbound-bandwidth-refill-rate` and `--throttler-inbound-bandwidth-max-burst-size`: the limit of reading from one peer. */
  bandwidth: defaultBandwidth,
  /** Limits of messages and bytes that wait to be handled. */
  inbox: defaultInboxLimits,
  /** `--health-check-averager-halflife`: half-life of the share of messages that could not be sent. */
  failRateHalfLifeMs: 10_000,
}

export type PeerSettings = Readonly<typeof defaultPeerSettings>
