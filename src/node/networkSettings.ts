import { type BenchSettings, defaultBenchSettings } from "../core/consensus/engine/benchList.js"
import { defaultTimeouts, type TimeoutSettings } from "../core/p2p/adaptiveTimeout.js"
import { defaultPeerSettings, type PeerSettings } from "../core/p2p/peerSettings.js"
import { defaultSocketSettings, type SocketSettings } from "../network/socketSettings.js"
import { nodeError } from "./errors.js"

/** Thresholds at which a joined node is unhealthy. Times are milliseconds; each names AvalancheGo's flag. */
export interface HealthLimits {
  /** `--network-health-min-conn-peers` */
  readonly minPeers: number
  /** `--network-health-max-time-since-msg-received` */
  readonly maxReceiveSilenceMs: number
  /** `--network-health-max-time-since-msg-sent` */
  readonly maxSendSilenceMs: number
  /** `--network-health-max-send-fail-rate`: the share of messages that may fail to be sent. */
  readonly maxSendFailRate: number
  /** `--snow-max-processing`: how many blocks may be undecided. */
  readonly maxProcessing: number
  /** `--snow-max-time-processing`: for how long a block may be undecided. */
  readonly maxProcessingMs: number
}

export const defaultHealthLimits: HealthLimits = {
  minPeers: 1,
  maxReceiveSilenceMs: 60_000,
  maxSendSilenceMs: 60_000,
  maxSendFailRate: 0.9,
  maxProcessing: 256,
  maxProcessingMs: 30_000,
}

/** The numbers of a joined node that an operator may change. */
export interface NetworkSettings {
  readonly peers: PeerSettings
  readonly timeouts: TimeoutSettings
  readonly bench: Omit<BenchSettings, "maxShare">
  readonly sockets: SocketSettings
  readonly health: HealthLimits
  /** `--network-compression-type`: whether messages are compressed with zstd. */
  readonly compresses: boolean
}

/** AvalancheGo's defaults. */
export const defaultNetworkSettings: NetworkSettings = {
  peers: defaultPeerSettings,
  timeouts: defaultTimeouts,
  bench: defaultBenchSettings,
  sockets: defaultSocketSettings,
  health: defaultHealthLimits,
  compresses: true,
}

/** Refuses settings that AvalancheGo refuses. Throws `node.bad_network_setting`. */
export function checkNetworkSettings({ peers, timeouts }: NetworkSettings): void {
  const rules: readonly (readonly [flag: string, isFine: boolean, expected: string])[] = [
    ["network-ping-timeout", peers.readTimeoutMs > peers.pingIntervalMs, "more than --network-ping-frequency"],
    ["network-max-reconnect-delay", peers.maxRedialMs >= peers.firstRedialMs, "at least --network-initial-reconnect-delay"],
    ["network-initial-timeout", timeouts.initialMs <= timeouts.maximumMs, "at most --network-maximum-timeout"],
    ["network-initial-timeout", timeouts.initialMs >= timeouts.minimumMs, "at least --network-minimum-timeout"],
    ["network-timeout-coefficient", timeouts.coefficient >= 1, "at least 1"],
    ["network-timeout-halflife", timeouts.halfLifeMs > 0, "more than 0"],
  ]
  for (const [flag, isFine, expected] of rules) {
    if (!isFine) throw nodeError("node.bad_network_setting", { flag: `--${flag}`, expected })
  }
}
