import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import type { Log } from "../core/lib/log.js"
import type { HttpOptions } from "../jsonrpc/http/options.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { PastRows } from "../postgres/read/pastRows.js"
import type { ForkPoint, PrivateChainChoices } from "../producer/options.js"
import type { Store } from "../store/store.js"
import type { ChainChoice } from "./chainData.js"
import type { SourceOptions } from "./followedChain.js"
import type { IdentityFlags } from "./identityKeys.js"
import type { JoinOptions } from "./joinOptions.js"
import type { ReadStatus } from "./readStatus.js"
import type { StoreFollowerOptions } from "./storeFollower.js"

/** The chain of a read server, as the node sees it. */
export interface ReaderOptions {
  onAccepted(listener: (event: AcceptedEvent) => void): () => void
  status(): ReadStatus
  readonly past: PastRows
}

/** Options of a node. */
export interface NodeOptions {
  readonly store: Store
  /** Directory of the keys beside the store; by default they last as long as the process. */
  readonly dataDir?: string | undefined
  readonly choice: ChainChoice
  /** `dev`: a private chain that produces blocks. `serve`: a chain as it is, for reading. `join`: a chain that is followed among peers. `follow`: a copy of what other nodes' APIs give. */
  readonly mode: "dev" | "serve" | "join" | "follow"
  /** Options of joining, in mode `join`. */
  readonly join?: JoinOptions
  /** The nodes to follow, in mode `follow`. */
  readonly follow?: SourceOptions
  readonly dialect: Dialect
  readonly isPublic: boolean
  /** Bytes that answers that may be asked for again take at most; 256 MiB by default. */
  readonly cacheBytes?: number | undefined
  readonly producer?: PrivateChainChoices
  /** AvalancheGo's services that are on in the `avalanchego` dialect; in the other they always are. */
  readonly enabledServices?: readonly ("index" | "admin")[]
  /** Whether the rows for explorers follow the chain; `on` by default. */
  readonly history?: "on" | "off"
  readonly identity?: IdentityFlags
  /** Bytes that the disk must have left for the node to be healthy; left out: 4 MiB. */
  readonly minFreeDisk?: number
  /** Options of following another process that extends the chain. */
  readonly follows?: Omit<StoreFollowerOptions, "store"> | undefined
  /** The chain of a read server, in mode `serve`. */
  readonly reader?: ReaderOptions | undefined
  /** The block that a fork begins after, in mode `dev`; left out: the chain is not a fork. */
  readonly fork?: ForkPoint | undefined
  /** A state that was dumped, to start from. */
  readonly loadState?: Uint8Array | undefined
  /** Options of the HTTP server; by default the node does not listen, and the API is called directly. */
  readonly http?: Partial<HttpOptions> | undefined
  /** See `OpenServerOptions`. */
  readonly apiWorkers?: number | "auto" | undefined
  /** See `OpenServerOptions`. */
  readonly apiWorkerProgram?: string | undefined
  /** The URL of a PostgreSQL database to which every accepted block is published. */
  readonly publish?: string | undefined
  /** Number of blocks between two snapshots for read servers in that database. */
  readonly snapshotEvery?: number | undefined
  readonly log: Log
  /** The machine's clock, Unix milliseconds. */
  wall(): number
  /** Called with a fault of ours that leaves the chain unable to go on. */
  onFault?(error: unknown): void
}
