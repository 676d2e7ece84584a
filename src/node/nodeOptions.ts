import type { AcceptedEvent } from "../core/blocks/acceptedEvent.js"
import type { Log } from "../core/lib/log.js"
import type { ChainKind } from "../core/networks/chainIdentity.js"
import type { HttpOptions } from "../jsonrpc/http/options.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { PastRows } from "../postgres/read/pastRows.js"
import type { ForkPoint, PrivateChainChoices } from "../producer/options.js"
import type { Store } from "../store/store.js"
import type { ChainChoice } from "./chainData.js"
import type { SourceOptions } from "./follow/followedChain.js"
import type { IdentityFlags } from "./identity/identityKeys.js"
import type { JoinOptions } from "./joined/joinOptions.js"
import type { ServingProcess } from "./processes/servingProcess.js"
import type { ReadStatus } from "./readStatus.js"
import type { StoreFollowerOptions } from "./storeFollower.js"

/** The chain of a read server. */
export interface ReaderOptions {
  onAccepted(listener: (event: AcceptedEvent) => void): () => void
  status(): ReadStatus
  readonly past: PastRows
}

/** Options of a node. */
export interface NodeOptions {
  readonly store: Store
  /** The directory of the keys beside the store; by default they last as long as the process. */
  readonly dataDir?: string | undefined
  readonly choice: ChainChoice
  /**
   * `dev` is a private chain that produces blocks, `serve` a chain for reading only, `join` a chain of a network with peers, and `follow` a
   * copy from other nodes' APIs.
   */
  readonly mode: "dev" | "serve" | "join" | "follow"
  /** The kind of the chain in a database of an older version whose rows do not show it (`--chain-kind`). */
  readonly chainKind?: ChainKind | undefined
  /** Options of joining, in mode `join`. */
  readonly join?: JoinOptions
  /** The nodes to follow, in mode `follow`. */
  readonly follow?: SourceOptions
  readonly dialect: Dialect
  readonly isPublic: boolean
  /** The maximum size of the answer cache, bytes; 256 MiB by default. */
  readonly cacheBytes?: number | undefined
  readonly producer?: PrivateChainChoices
  /** AvalancheGo's services that are enabled in the `avalanchego` dialect. The other dialect always has them. */
  readonly enabledServices?: readonly ("index" | "admin")[]
  /** `on` (the default) if the rows for explorers are updated with the chain. */
  readonly history?: "on" | "off"
  readonly identity?: IdentityFlags
  /** The number of bytes that must be free on the disk of a healthy node; 4 MiB by default. */
  readonly minFreeDisk?: number
  /** Options of following a chain that another process extends. */
  readonly follows?: Omit<StoreFollowerOptions, "store" | "reportFault"> | undefined
  /** The chain of a read server, in mode `serve`. */
  readonly reader?: ReaderOptions | undefined
  /** The last block before the fork, in mode `dev`; omitted if the chain is not a fork. */
  readonly fork?: ForkPoint | undefined
  /** The directory of VM plugins, in mode `dev`; omitted if the node hosts no VMs. */
  readonly pluginDir?: string | undefined
  /** A dumped state to start from. */
  readonly loadState?: Uint8Array | undefined
  /** Options of the HTTP server; by default the node does not listen, and the API is called directly. */
  readonly http?: Partial<HttpOptions> | undefined
  /** This process as one of several that serve the chain; omitted if it serves alone. */
  readonly servingProcess?: ServingProcess | undefined
  /** The URL of a PostgreSQL database to which every accepted block is published. */
  readonly publish?: string | undefined
  /** True if another chain in that database is removed (`--replace`). */
  readonly replaces?: boolean | undefined
  /** Number of blocks between two snapshots for read servers in that database. */
  readonly snapshotEvery?: number | undefined
  readonly log: Log
  /** The machine's clock, Unix milliseconds. */
  wall(): number
  /** Called with a fault in Serac that stops the chain. */
  onFault?(error: unknown): void
}
