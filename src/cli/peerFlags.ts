import { defaultNetworkSettings, type NetworkSettings } from "../node/networkSettings.js"
import { flagWithDefault, type Given } from "./flags.js"
import { decimal, duration, integerFlag, oneWordOf, onOff } from "./flagTypes.js"

const { peers, timeouts, bench, sockets, health } = defaultNetworkSettings

const MAX_COUNT = 1_000_000

/** A length of time with its default, which is given in seconds. */
const time = (about: string, milliseconds: number) => flagWithDefault(duration, about, milliseconds, `${milliseconds / 1000}s`)

const share = (about: string, value: number) => flagWithDefault(decimal(0, 1), about, value)

/** The flags that set the numbers of the peer protocol. Names, meanings and defaults as in AvalancheGo. */
export const peerFlags = {
  "network-ping-frequency": time("How often peers are pinged", peers.pingIntervalMs),
  "network-ping-timeout": time("For how long a peer may send nothing", peers.readTimeoutMs),
  "network-max-clock-difference": time("How far the clocks of peers may be from ours", peers.maxClockDifferenceMs),
  "network-maximum-inbound-timeout": time("For how long a peer's request is worth an answer", peers.maxDeadlineMs),
  "network-initial-reconnect-delay": time("First delay before a node is dialed again", peers.firstRedialMs),
  "network-max-reconnect-delay": time("Longest such delay", peers.maxRedialMs),
  "network-outbound-connection-throttling-rps": flagWithDefault(
    integerFlag(0, MAX_COUNT),
    "Nodes that are dialed in a second at most; 0: no limit",
    peers.dialsPerSecond,
  ),
  "network-outbound-connection-timeout": time("How long dialing may take", sockets.dialTimeoutMs),
  "network-read-handshake-timeout": time("How long the TLS handshake of a peer may take", sockets.tlsTimeoutMs),
  "network-inbound-connection-throttling-cooldown": time(
    "For how long a second connection from one address is refused; 0: not at all",
    sockets.sameAddressMs,
  ),
  "network-peer-list-num-validator-ips": flagWithDefault(
    integerFlag(0, MAX_COUNT),
    "Addresses in a peer list at most",
    peers.peerListSize,
  ),
  "network-peer-list-pull-gossip-frequency": time("How often a validator is asked for addresses", peers.peerListIntervalMs),
  "network-peer-list-bloom-reset-frequency": time("For how long the filter of known addresses is used", peers.filterAgeMs),
  "network-require-validator-to-connect": flagWithDefault(
    onOff,
    "Has validators and bootstrappers as peers alone, as long as this node does not validate",
    peers.requiresValidators,
  ),
  "network-compression-type": flagWithDefault(oneWordOf("zstd", "none"), "How messages to peers are compressed", "zstd"),
  "network-initial-timeout": time("How long an answer is waited for at first", timeouts.initialMs),
  "network-minimum-timeout": time("The least time that an answer is waited for", timeouts.minimumMs),
  "network-maximum-timeout": time("The most time that an answer is waited for", timeouts.maximumMs),
  "network-timeout-halflife": time("Half-life of the average time of answers", timeouts.halfLifeMs),
  "network-timeout-coefficient": flagWithDefault(
    decimal(1, MAX_COUNT),
    "An answer is waited for so many times the average",
    timeouts.coefficient,
  ),
  "benchlist-halflife": time("Half-life of the share of a validator's requests that failed", bench.halfLifeMs),
  "benchlist-bench-probability": share("A validator is benched above this share", bench.benchAbove),
  "benchlist-unbench-probability": share("A validator is released below this share", bench.releaseBelow),
  "benchlist-duration": time("For how long a validator is benched at most", bench.durationMs),
  "network-health-min-conn-peers": flagWithDefault(integerFlag(0, MAX_COUNT), "A node with fewer peers is ill", health.minPeers),
  "network-health-max-time-since-msg-received": time("A node that hears nothing for longer is ill", health.maxReceiveSilenceMs),
  "network-health-max-time-since-msg-sent": time("A node that sends nothing for longer is ill", health.maxSendSilenceMs),
  "network-health-max-send-fail-rate": share("A node that cannot send more of its messages is ill", health.maxSendFailRate),
  "snow-max-processing": flagWithDefault(
    integerFlag(1, MAX_COUNT),
    "A node with more undecided blocks is ill",
    health.maxProcessing,
  ),
  "snow-max-time-processing": time("A node with a block that is undecided for longer is ill", health.maxProcessingMs),
}

/** The numbers of the peer protocol that the flags set. */
export function networkSettingsOf(flags: Given<typeof peerFlags>["flags"]): NetworkSettings {
  return {
    peers: {
      pingIntervalMs: flags["network-ping-frequency"],
      readTimeoutMs: flags["network-ping-timeout"],
      maxClockDifferenceMs: flags["network-max-clock-difference"],
      maxDeadlineMs: flags["network-maximum-inbound-timeout"],
      firstRedialMs: flags["network-initial-reconnect-delay"],
      maxRedialMs: flags["network-max-reconnect-delay"],
      dialsPerSecond: flags["network-outbound-connection-throttling-rps"],
      peerListSize: flags["network-peer-list-num-validator-ips"],
      peerListIntervalMs: flags["network-peer-list-pull-gossip-frequency"],
      filterAgeMs: flags["network-peer-list-bloom-reset-frequency"],
      requiresValidators: flags["network-require-validator-to-connect"],
    },
    timeouts: {
      initialMs: flags["network-initial-timeout"],
      minimumMs: flags["network-minimum-timeout"],
      maximumMs: flags["network-maximum-timeout"],
      halfLifeMs: flags["network-timeout-halflife"],
      coefficient: flags["network-timeout-coefficient"],
    },
    bench: {
      halfLifeMs: flags["benchlist-halflife"],
      benchAbove: flags["benchlist-bench-probability"],
      releaseBelow: flags["benchlist-unbench-probability"],
      durationMs: flags["benchlist-duration"],
    },
    sockets: {
      dialTimeoutMs: flags["network-outbound-connection-timeout"],
      tlsTimeoutMs: flags["network-read-handshake-timeout"],
      sameAddressMs: flags["network-inbound-connection-throttling-cooldown"],
    },
    health: {
      minPeers: flags["network-health-min-conn-peers"],
      maxReceiveSilenceMs: flags["network-health-max-time-since-msg-received"],
      maxSendSilenceMs: flags["network-health-max-time-since-msg-sent"],
      maxSendFailRate: flags["network-health-max-send-fail-rate"],
      maxProcessing: flags["snow-max-processing"],
      maxProcessingMs: flags["snow-max-time-processing"],
    },
    compresses: flags["network-compression-type"] === "zstd",
  }
}
