/** The numbers of bootstrapping and consensus that an operator may change. Times are milliseconds; AvalancheGo's flag is named at each. */
export interface ChainSettings {
  /** `--consensus-frontier-poll-frequency`: the interval at which one validator is asked for its preference while nothing is undecided. */
  readonly frontierPollMs: number
  /** `--snow-optimal-processing`: the number of undecided blocks from which on a validator builds no further block. */
  readonly optimalProcessing: number
  /** `--bootstrap-ancestors-max-containers-received`: the number of blocks of an answer that are used. */
  readonly maxAncestorsReceived: number
  /** `--bootstrap-ancestors-max-containers-sent`: the maximum number of blocks in an answer of this node. */
  readonly maxAncestorsSent: number
  /** `--bootstrap-max-time-get-ancestors`: the time for which this node works on one such answer. */
  readonly ancestorsMs: number
  /** `--bootstrap-beacon-connection-timeout`: when to warn that too few bootstrappers are connected. */
  readonly beaconWarningMs: number
}

export const defaultChainSettings: ChainSettings = {
  frontierPollMs: 100,
  optimalProcessing: 10,
  maxAncestorsReceived: 2000,
  maxAncestorsSent: 2000,
  ancestorsMs: 50,
  beaconWarningMs: 60_000,
}
