import type { ChainData } from "../chaindata/chainData.js"
import type { GenesisProofs } from "../chaindata/genesis/genesisProofs.js"
import type { Check } from "../jsonrpc/health/monitor.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { ChainPort } from "../services/context.js"
import type { NodeApiOptions } from "./api.js"
import type { Identity } from "./identity/identity.js"
import type { L1Host } from "./l1/l1Host.js"

/** A part of a node that reports its health and its metrics, and that is started and stopped. */
export interface NodePart {
  readonly checks: readonly Check[]
  registerMetrics(metrics: Registry): void
  start(): Promise<void>
  /** Stops the part, also if it was not started. */
  stop(): Promise<void>
}

/** Where the chain of a node comes from. `src/chains` has an implementation for each source. */
export interface ChainSource extends NodePart, Pick<NodeApiOptions, "isReady" | "version" | "isPastElsewhere" | "privateChain"> {
  readonly data: ChainData
  readonly identity: Identity
  readonly port: ChainPort
  /** The proofs of a genesis that are not verified yet. The chain starts after them. */
  readonly proofs?: GenesisProofs | undefined
  /** The address at which peers reach the node; omitted if it has no peers. */
  peerAddress?(): string
  /** The L1s whose VMs run in the node; omitted if it hosts none. */
  readonly l1s?: L1Host | undefined
  /** Ends long work at its next pause, because the node is about to stop. */
  interrupt?(): void
}
