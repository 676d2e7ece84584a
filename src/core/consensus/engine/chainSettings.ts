/** The numbers of bootstrapping and consensus that an operator may change. Times are milliseconds; AvalancheGo's flag is named at each. */
export interface ChainSettings {
  /** `--consensus-frontier-poll-frequency`: how often one validator is asked what it prefers while nothing is undecided. */
  readonly frontierPollMs: number
  /** `--snow-optimal-processing`: a validator builds no further block while so many are undecided. */
  readonly optimalProcessing: number
  /** `--bootstrap-ancestors-max-containers-received`: so many blocks of an answer are used. */
  readonly maxAncestorsReceived: number
  /** `--bootstrap-ancestors-max-containers-sent`: so many blocks an answer of this node has at most. */
  readonly maxAncestorsSent: number
  /** `--bootstrap-max-time-get-ancestors`: how long this node works on one such answer. */
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
