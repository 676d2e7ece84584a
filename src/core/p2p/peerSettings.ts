import { defaultInboxLimits, type InboxLimits } from "./inbox.js"
import { defaultBandwidth, type Rate } from "./rateLimit.js"

/** The numbers of the peer protocol that an operator may change. Times are milliseconds; AvalancheGo's flag is named at each. */
export interface PeerSettings {
  /** `--network-ping-frequency`: the interval of pings. */
  readonly pingIntervalMs: number
  /** `--network-ping-timeout`: the time for which a peer may send nothing. */
  readonly readTimeoutMs: number
  /** `--network-max-clock-difference`: the maximum difference between a peer's clock and this node's. */
  readonly maxClockDifferenceMs: number
  /** `--network-maximum-inbound-timeout`: the maximum time in which a request of a peer is answered, whatever its deadline. */
  readonly maxDeadlineMs: number
  /** `--network-initial-reconnect-delay` */
  readonly firstRedialMs: number
  /** `--network-max-reconnect-delay`: the delay stays at 75 to 100 % of it. */
  readonly maxRedialMs: number
  /** `--network-outbound-connection-throttling-rps`: the most nodes that are dialed in a second. */
  readonly dialsPerSecond: number
  /** `--network-peer-list-num-validator-ips`: the maximum number of addresses in one peer list. */
  readonly peerListSize: number
  /** `--network-peer-list-pull-gossip-frequency`: the interval at which a validator is asked for addresses. */
  readonly peerListIntervalMs: number
  /** `--network-peer-list-bloom-reset-frequency`: the time for which a filter of known addresses is used. */
  readonly filterAgeMs: number
  /** `--network-require-validator-to-connect`: whether only validators and bootstrappers may be peers of a node that does not validate. */
  readonly requiresValidators: boolean
  /** `--throttler-inbound-bandwidth-refill-rate` and `--throttler-inbound-bandwidth-max-burst-size`: the limit of reading from one peer. */
  readonly bandwidth: Rate
  /** Limits of messages and bytes that wait to be handled. */
  readonly inbox: InboxLimits
  /** `--health-check-averager-halflife`: half-life of the share of messages that could not be sent. */
  readonly failRateHalfLifeMs: number
}

export const defaultPeerSettings: PeerSettings = {
  pingIntervalMs: 22_500,
  readTimeoutMs: 30_000,
  maxClockDifferenceMs: 60_000,
  maxDeadlineMs: 10_000,
  firstRedialMs: 1_000,
  maxRedialMs: 60_000,
  dialsPerSecond: 50,
  peerListSize: 15,
  peerListIntervalMs: 2_000,
  filterAgeMs: 60_000,
  requiresValidators: false,
  bandwidth: defaultBandwidth,
  inbox: defaultInboxLimits,
  failRateHalfLifeMs: 10_000,
}
