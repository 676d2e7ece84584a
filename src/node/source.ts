import type { ChainData } from "../chaindata/chainData.js"
import type { GenesisProofs } from "../chaindata/genesis/genesisProofs.js"
import type { Feed } from "../jsonrpc/events/feed.js"
import type { Check } from "../jsonrpc/health/monitor.js"
import type { BodyRoute } from "../jsonrpc/http/route/bodyRoute.js"
import type { Subtree } from "../jsonrpc/http/route/routes.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { L1Hosting } from "../producer/l1Hosting.js"
import type { ChainPort } from "../services/context.js"
import type { NodeApi, NodeApiOptions } from "./api.js"
import type { Identity } from "./identity/identity.js"

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
  readonly l1s?: NodeL1s | undefined
  /** Ends long work at its next pause, because the node is about to stop. */
  readonly interrupt?: () => void
}

/** The L1s of a node: the operations of `/ext/dev`, and what they add to the HTTP server. */
export interface NodeL1s extends L1Hosting {
  /** Adds the routes of all L1s, and keeps them up to date. */
  addRoutes(routes: L1Routes, nodeApi: NodeApi): void
  /** Returns the stream of the messages between L1s that were relayed. */
  relayFeed(): Feed
  /** Returns the metrics of the VMs as text. */
  metricsText(): Promise<string>
}

/** The routes of L1s. They change while the server runs. */
export interface L1Routes {
  /** Routes by path, with everything below. */
  readonly subtrees: Map<string, Subtree>
  /** Routes by the ID of the chain, for requests that name it in a header. */
  readonly headerRoutes: Map<string, BodyRoute>
}
