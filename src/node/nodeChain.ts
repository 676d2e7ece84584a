import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import type { GenesisProofs } from "../datadir/genesis/genesisProofs.js"
import type { StoredChain } from "../datadir/storedChain.js"
import type { Feed } from "../jsonrpc/events/feed.js"
import type { Check } from "../jsonrpc/health/monitor.js"
import type { BodyRoute } from "../jsonrpc/http/route/bodyRoute.js"
import type { Subtree } from "../jsonrpc/http/route/routes.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { ChainHosting } from "../producer/chainHosting.js"
import type { LiveChain } from "../services/context.js"
import type { NodeApi, NodeApiOptions } from "./api.js"
import type { Identity } from "./identity/identity.js"

/** Reports of faults in Serac that end something else than the process. They are logged and counted. */
export interface FaultReports {
  /** `where` names what the fault ended. */
  reportFault(error: unknown, where: string): void
}

/** The calls of a chain to its node. */
export interface NodeHooks extends FaultReports {
  /** Called with a fault in Serac that stops the chain. */
  onFault(error: unknown): void
  /** Called after every change of the state, in order. */
  stateChanged(event: AcceptedEvent): void
}

/** A part of a node that reports its health and its metrics, and that is started and stopped. */
export interface NodePart {
  readonly checks: readonly Check[]
  registerMetrics(metrics: Registry): void
  start(): Promise<void>
  /** Stops the part, also if it was not started. */
  stop(): Promise<void>
}

/** The chain of a node, as `startNode` runs it. `src/sources` opens it, one folder for each place that it may come from. */
export interface NodeChain extends NodePart, Pick<NodeApiOptions, "isReady" | "version" | "isPastElsewhere" | "privateChain"> {
  readonly data: StoredChain
  readonly identity: Identity
  readonly live: LiveChain
  /** The proofs of a genesis that are not verified yet. The chain starts after them. */
  readonly proofs?: GenesisProofs | undefined
  /** The address at which peers reach the node; omitted if it has no peers. */
  peerAddress?(): string
  /** The chains that the node hosts beside its own; omitted if it hosts none. */
  readonly hosting?: NodeHosting | undefined
  /** Ends long work at its next pause, because the node is about to stop. */
  readonly interrupt?: () => void
}

/** The chains that a node hosts: the operations of `/ext/dev`, and what they add to the HTTP server. */
export interface NodeHosting {
  readonly host: ChainHosting
  /** Adds the routes of all hosted chains, and keeps them up to date. */
  addRoutes(routes: HostedRoutes, nodeApi: NodeApi): void
  /** Returns the stream of the messages between hosted chains that were relayed. */
  relayFeed(): Feed
  /** Returns the metrics of the VMs as text. */
  metricsText(): Promise<string>
}

/** The routes of hosted chains. They change while the server runs. */
export interface HostedRoutes {
  /** Routes by path, with everything below. */
  readonly subtrees: Map<string, Subtree>
  /** Routes by the ID of the chain, for requests that name it in a header. */
  readonly headerRoutes: Map<string, BodyRoute>
}
