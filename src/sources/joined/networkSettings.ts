import { type BenchSettings, defaultBenchSettings } from "../../core/consensus/engine/benchList.js"
import { type ChainSettings, defaultChainSettings } from "../../core/consensus/engine/enginePort.js"
import { scheduledACPs } from "../../core/networks/acps.js"
import { defaultTimeouts, type TimeoutSettings } from "../../core/p2p/adaptiveTimeout.js"
import type { AcpVotes } from "../../core/p2p/handshake.js"
import { defaultPeerSettings, type PeerSettings } from "../../core/p2p/peerSettings.js"
import { nodeError } from "../../datadir/errors.js"
import { defaultSocketSettings, type SocketSettings } from "../../network/socketSettings.js"

/** AvalancheGo's thresholds at which a joined node is unhealthy. Times are milliseconds; each names AvalancheGo's flag. */
const defaultHealthLimits = {
  /** `--network-health-min-conn-peers` */
  minPeers: 1,
  /** `--network-health-max-time-since-msg-received` */
  maxReceiveSilenceMs: 60_000,
  /** `--network-health-max-time-since-msg-sent` */
  maxSendSilenceMs: 60_000,
  /** `--network-health-max-send-fail-rate`: the share of messages that may fail to be sent. */
  maxSendFailRate: 0.9,
  /** `--network-no-ingress-connections-grace-period`: the time after which a validator needs a connection that another node opened. */
  noInboundGraceMs: 600_000,
  /** `--router-health-max-outstanding-requests`: the number of requests that may wait for an answer. */
  maxOpenRequests: 1024,
  /** `--network-health-max-outstanding-request-duration`: the time that a request may wait for its answer. */
  maxOpenRequestMs: 300_000,
  /** `--snow-max-processing`: the number of blocks that may be undecided. */
  maxProcessing: 256,
  /** `--snow-max-time-processing`: the time that a block may be undecided. */
  maxProcessingMs: 30_000,
}

export type HealthLimits = Readonly<typeof defaultHealthLimits>

/** The settings of a joined node that an operator may change. */
export interface NetworkSettings {
  readonly peers: PeerSettings
  readonly timeouts: TimeoutSettings
  readonly bench: BenchSettings
  readonly sockets: SocketSettings
  readonly health: HealthLimits
  /** `--network-compression-type`: whether messages are compressed with zstd. */
  readonly compresses: boolean
  readonly chain: ChainSettings
  /** Settings of building blocks, for a node that validates. */
  readonly building: {
    /** `--proposervm-min-block-delay`, milliseconds; by default a second on Mainnet and Fuji, and none elsewhere. */
    readonly minBlockDelayMs: number | undefined
    /** `--proposervm-use-current-height`: whether blocks name the last accepted P-Chain height instead of one that most nodes have. */
    readonly usesCurrentHeight: boolean
  }
  /** `--acp-support` and `--acp-object`: proposals for or against which this node votes, besides those that it has scheduled. */
  readonly acps: AcpVotes
  /** `--network-tls-key-log-file-unsafe`: a file for the secrets of connections. */
  readonly secretsFile?: string | undefined
}

/** AvalancheGo's defaults. */
export const defaultNetworkSettings: NetworkSettings = {
  peers: defaultPeerSettings,
  timeouts: defaultTimeouts,
  bench: defaultBenchSettings,
  sockets: defaultSocketSettings,
  health: defaultHealthLimits,
  compresses: true,
  chain: defaultChainSettings,
  building: { minBlockDelayMs: undefined, usesCurrentHeight: false },
  acps: { supported: [], objected: [] },
}

/** Refuses settings that AvalancheGo refuses. Throws `node.bad_network_setting`. */
export function checkNetworkSettings({ peers, timeouts, acps }: NetworkSettings): void {
  const rules: readonly (readonly [flag: string, isFine: boolean, expected: string])[] = [
    ["network-ping-timeout", peers.readTimeoutMs > peers.pingIntervalMs, "more than --network-ping-frequency"],
    ["network-max-reconnect-delay", peers.maxRedialMs >= peers.firstRedialMs, "at least --network-initial-reconnect-delay"],
    ["network-initial-timeout", timeouts.initialMs <= timeouts.maximumMs, "at most --network-maximum-timeout"],
    ["network-initial-timeout", timeouts.initialMs >= timeouts.minimumMs, "at least --network-minimum-timeout"],
    ["network-timeout-coefficient", timeouts.coefficient >= 1, "at least 1"],
    ["network-timeout-halflife", timeouts.halfLifeMs > 0, "more than 0"],
    ["acp-object", !hasCommon(acps.objected, acps.supported), "no proposal that --acp-support names"],
    ["acp-object", !hasCommon(acps.objected, scheduledACPs), "no proposal of a scheduled upgrade"],
  ]
  for (const [flag, isFine, expected] of rules) {
    if (!isFine) throw nodeError("node.bad_network_setting", { flag: `--${flag}`, expected })
  }
}

const hasCommon = (some: readonly number[], others: readonly number[]) => some.some((each) => others.includes(each))
