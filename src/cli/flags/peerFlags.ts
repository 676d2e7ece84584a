import { defaultNetworkSettings, type NetworkSettings } from "../../sources/joined/networkSettings.js"
import { type CommandInput, flagWithDefault, optionalFlag } from "./flags.js"
import { decimal, duration, integerFlag, numbers, oneOfWords, onOff, path } from "./flagTypes.js"

const { peers, timeouts, bench, sockets, health, chain } = defaultNetworkSettings

const MAX_COUNT = 1_000_000
const MAX_BYTES = 2 ** 40

/** Declares a duration with its default, which is shown in seconds. */
const time = (about: string, milliseconds: number) => flagWithDefault(duration, about, milliseconds, `${milliseconds / 1000}s`)

const count = (about: string, value: number, least = 1) => flagWithDefault(integerFlag(least, MAX_COUNT), about, value)

const bytes = (about: string, value: number, least = 1) => flagWithDefault(integerFlag(least, MAX_BYTES), about, value)

/** Room for bytes. Its default is the size of the largest message, and so is the least that it may be. */
const room = (about: string, value: number) => bytes(about, value, value)

const share = (about: string, value: number) => flagWithDefault(decimal(0, 1), about, value)

/** The flags that set the numbers of the peer protocol. Names, meanings and defaults as in AvalancheGo. */
export const peerFlags = {
  "network-ping-frequency": time("Interval of pings to peers", peers.pingIntervalMs),
  "network-ping-timeout": time("Time without a message after which a peer is disconnected", peers.readTimeoutMs),
  "network-max-clock-difference": time("Maximum difference between a peer's clock and this node's", peers.maxClockDifferenceMs),
  "network-maximum-inbound-timeout": time("Maximum time in which a peer's request is answered", peers.maxDeadlineMs),
  "network-initial-reconnect-delay": time("First delay before a node is dialed again", peers.firstRedialMs),
  "network-max-reconnect-delay": time("Longest delay before a node is dialed again", peers.maxRedialMs),
  "network-outbound-connection-throttling-rps": flagWithDefault(
    integerFlag(0, MAX_COUNT),
    "Maximum number of nodes that are dialed in a second; 0 sets no limit",
    peers.dialsPerSecond,
  ),
  "network-outbound-connection-timeout": time("Time limit for dialing a node", sockets.dialTimeoutMs),
  "network-read-handshake-timeout": time("Time limit for the TLS handshake of a peer", sockets.tlsTimeoutMs),
  "network-inbound-connection-throttling-cooldown": time(
    "Time for which a second connection from one address is refused; 0 refuses none",
    sockets.sameAddressMs,
  ),
  "network-inbound-connection-throttling-max-conns-per-sec": flagWithDefault(
    decimal(0, MAX_COUNT),
    "Connections of all peers that are taken in a second; others wait",
    sockets.connectionsPerSecond,
  ),
  "network-peer-list-num-validator-ips": flagWithDefault(
    integerFlag(0, MAX_COUNT),
    "Maximum number of addresses in a peer list",
    peers.peerListSize,
  ),
  "network-peer-list-pull-gossip-frequency": time("Interval of requests for addresses to a validator", peers.peerListIntervalMs),
  "network-peer-list-bloom-reset-frequency": time("Lifetime of the filter of known addresses", peers.filterAgeMs),
  "network-require-validator-to-connect": flagWithDefault(
    onOff,
    "Accepts only validators and bootstrappers as peers while this node does not validate",
    peers.requiresValidators,
  ),
  "network-compression-type": flagWithDefault(oneOfWords("zstd", "none"), "Compression of messages to peers", "zstd"),
  "network-initial-timeout": time("Time limit of the first answers", timeouts.initialMs),
  "network-minimum-timeout": time("Shortest time limit of an answer", timeouts.minimumMs),
  "network-maximum-timeout": time("Longest time limit of an answer", timeouts.maximumMs),
  "network-timeout-halflife": time("Half-life of the average time of answers", timeouts.halfLifeMs),
  "network-timeout-coefficient": flagWithDefault(
    decimal(1, MAX_COUNT),
    "Time limit of an answer, as a multiple of the average time",
    timeouts.coefficient,
  ),
  "benchlist-halflife": time("Half-life of the share of a validator's requests that failed", bench.halfLifeMs),
  "benchlist-bench-probability": share("A validator is benched above this share", bench.benchAbove),
  "benchlist-unbench-probability": share("A validator is released below this share", bench.releaseBelow),
  "benchlist-duration": time("Maximum time for which a validator is benched", bench.durationMs),
  "network-health-min-conn-peers": flagWithDefault(integerFlag(0, MAX_COUNT), "Fewest peers of a healthy node", health.minPeers),
  "network-health-max-time-since-msg-received": time(
    "Longest time without a message from a peer for a healthy node",
    health.maxReceiveSilenceMs,
  ),
  "network-health-max-time-since-msg-sent": time(
    "Longest time without a message to a peer for a healthy node",
    health.maxSendSilenceMs,
  ),
  "network-health-max-send-fail-rate": share("Share of failed messages above which a node is unhealthy", health.maxSendFailRate),
  "snow-max-processing": flagWithDefault(
    integerFlag(1, MAX_COUNT),
    "Most undecided blocks of a healthy node",
    health.maxProcessing,
  ),
  "snow-max-time-processing": time("Time after which a node with an undecided block is unhealthy", health.maxProcessingMs),
  "snow-optimal-processing": count(
    "Number of undecided blocks from which on a validator builds no block",
    chain.optimalProcessing,
  ),
  "network-no-ingress-connections-grace-period": time(
    "Time after which a validator without inbound connections is unhealthy",
    health.noInboundGraceMs,
  ),
  "router-health-max-outstanding-requests": count(
    "Number of unanswered requests above which a node is unhealthy",
    health.maxOpenRequests,
    0,
  ),
  "network-health-max-outstanding-request-duration": time(
    "Time after which a node with an unanswered request is unhealthy",
    health.maxOpenRequestMs,
  ),
  "health-check-averager-halflife": time("Half-life of the share of messages that could not be sent", peers.failRateHalfLifeMs),
  "consensus-frontier-poll-frequency": time("Interval of requests for new blocks to a validator", chain.frontierPollMs),
  "bootstrap-beacon-connection-timeout": time("Time after which too few bootstrappers are reported", chain.beaconWarningMs),
  "bootstrap-max-time-get-ancestors": time("Time for which the node works on a request for blocks", chain.ancestorsMs),
  "bootstrap-ancestors-max-containers-sent": count(
    "Maximum number of blocks in an answer to another node",
    chain.maxAncestorsSent,
  ),
  "bootstrap-ancestors-max-containers-received": count(
    "Maximum number of blocks of another node's answer that are used",
    chain.maxAncestorsReceived,
  ),
  "throttler-inbound-bandwidth-refill-rate": bytes("Bytes a second that are read from one peer", peers.bandwidth.perSecond),
  "throttler-inbound-bandwidth-max-burst-size": room("Bytes that are read from one peer at once", peers.bandwidth.burst),
  "throttler-inbound-node-max-processing-msgs": count("Maximum number of waiting messages of one peer", peers.inbox.maxMessages),
  "throttler-inbound-at-large-alloc-size": bytes("Maximum bytes of the waiting messages of all peers", peers.inbox.room.shared),
  "throttler-inbound-node-max-at-large-bytes": room(
    "Maximum bytes of the waiting messages of one peer",
    peers.inbox.room.sharedPerPeer,
  ),
  "throttler-inbound-validator-alloc-size": bytes(
    "Further bytes of waiting messages, divided among validators by stake",
    peers.inbox.room.forValidators,
  ),
  "throttler-outbound-at-large-alloc-size": bytes("Maximum bytes that wait to be sent to all peers", sockets.outbound.shared),
  "throttler-outbound-node-max-at-large-bytes": room(
    "Maximum bytes that wait to be sent to one peer",
    sockets.outbound.sharedPerPeer,
  ),
  "throttler-outbound-validator-alloc-size": bytes(
    "Further bytes that wait to be sent, divided among validators by stake",
    sockets.outbound.forValidators,
  ),
  "proposervm-min-block-delay": optionalFlag(
    duration,
    "Shortest time between the last block and one that a validator builds (default: 1s on mainnet and fuji, else 0s)",
  ),
  "proposervm-use-current-height": flagWithDefault(
    onOff,
    "Blocks name the last accepted P-Chain height, not one that most nodes have",
    false,
  ),
  "acp-support": flagWithDefault(
    numbers,
    "Numbers of ACPs that the node reports to support, besides those with a scheduled time",
    [],
  ),
  "acp-object": flagWithDefault(numbers, "Numbers of ACPs that the node reports to object to", []),
  "network-tls-key-log-file-unsafe": optionalFlag(
    path("FILE"),
    "Writes the secrets of connections to this file, for debugging; a reader of the file can decrypt all messages",
  ),
}

type PeerFlags = CommandInput<typeof peerFlags>["flags"]

/** The numbers of the peer protocol that the flags set. */
export function networkSettingsOf(flags: PeerFlags): NetworkSettings {
  return {
    peers: peerSettingsOf(flags),
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
      connectionsPerSecond: flags["network-inbound-connection-throttling-max-conns-per-sec"],
      outbound: {
        shared: flags["throttler-outbound-at-large-alloc-size"],
        sharedPerPeer: flags["throttler-outbound-node-max-at-large-bytes"],
        forValidators: flags["throttler-outbound-validator-alloc-size"],
      },
    },
    health: healthLimitsOf(flags),
    compresses: flags["network-compression-type"] === "zstd",
    chain: {
      frontierPollMs: flags["consensus-frontier-poll-frequency"],
      optimalProcessing: flags["snow-optimal-processing"],
      maxAncestorsReceived: flags["bootstrap-ancestors-max-containers-received"],
      maxAncestorsSent: flags["bootstrap-ancestors-max-containers-sent"],
      ancestorsMs: flags["bootstrap-max-time-get-ancestors"],
      beaconWarningMs: flags["bootstrap-beacon-connection-timeout"],
    },
    building: {
      minBlockDelayMs: flags["proposervm-min-block-delay"],
      usesCurrentHeight: flags["proposervm-use-current-height"],
    },
    acps: { supported: flags["acp-support"], objected: flags["acp-object"] },
    secretsFile: flags["network-tls-key-log-file-unsafe"],
  }
}

function peerSettingsOf(flags: PeerFlags): NetworkSettings["peers"] {
  return {
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
    bandwidth: {
      perSecond: flags["throttler-inbound-bandwidth-refill-rate"],
      burst: flags["throttler-inbound-bandwidth-max-burst-size"],
    },
    inbox: {
      maxMessages: flags["throttler-inbound-node-max-processing-msgs"],
      room: {
        shared: flags["throttler-inbound-at-large-alloc-size"],
        sharedPerPeer: flags["throttler-inbound-node-max-at-large-bytes"],
        forValidators: flags["throttler-inbound-validator-alloc-size"],
      },
    },
    failRateHalfLifeMs: flags["health-check-averager-halflife"],
  }
}

function healthLimitsOf(flags: PeerFlags): NetworkSettings["health"] {
  return {
    minPeers: flags["network-health-min-conn-peers"],
    maxReceiveSilenceMs: flags["network-health-max-time-since-msg-received"],
    maxSendSilenceMs: flags["network-health-max-time-since-msg-sent"],
    maxSendFailRate: flags["network-health-max-send-fail-rate"],
    noInboundGraceMs: flags["network-no-ingress-connections-grace-period"],
    maxOpenRequests: flags["router-health-max-outstanding-requests"],
    maxOpenRequestMs: flags["network-health-max-outstanding-request-duration"],
    maxProcessing: flags["snow-max-processing"],
    maxProcessingMs: flags["snow-max-time-processing"],
  }
}
