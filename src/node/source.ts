import type { ChainData } from "../chaindata/chainData.js"
import type { GenesisProofs } from "../chaindata/genesis/genesisProofs.js"
import type { Check } from "../jsonrpc/health/monitor.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { PrivateChain } from "../producer/privateChain.js"
import type { NodePort } from "../services/context.js"
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

/** The members of the services' port that a node has itself. The others depend on where its chain comes from. */
type NodeMember =
  | "networkID"
  | "hrp"
  | "genesis"
  | "version"
  | "identity"
  | "hidesIdentity"
  | "answerRoom"
  | "containers"
  | "proxiedChains"
  | "hasAdmin"
  | "log"

/** The chain as the services read it and issue transactions to it. */
export type ChainPort = Omit<NodePort, NodeMember>

/** Where the chain of a node comes from. `src/chains` has an implementation for each source. */
export interface ChainSource extends NodePart {
  readonly data: ChainData
  readonly identity: Identity
  readonly port: ChainPort
  /** The proofs of a genesis that are not verified yet. The chain starts after them. */
  readonly proofs?: GenesisProofs | undefined
  /** Returns false while the chain is not ready; its routes then answer 503. */
  readonly isReady: () => boolean
  /** Returns the number of the present state, if it can change without an event of the port. */
  readonly version?: () => number
  /** True if the rows of the past are on another machine. */
  readonly isPastElsewhere?: boolean
  /** The address at which peers reach the node; omitted if it has no peers. */
  peerAddress?(): string
  /** The private chain, for the service `dev`; omitted for any other chain. */
  readonly privateChain?: PrivateChain
  /** The L1s whose VMs run in the node; omitted if it hosts none. */
  readonly l1s?: L1Host | undefined
  /** Ends long work at its next pause, because the node is about to stop. */
  interrupt?(): void
}
