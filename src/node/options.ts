import type { Log } from "../core/lib/log.js"
import type { ID } from "../core/types/id.js"
import type { PublishOptions } from "../datadir/openPublisher.js"
import type { HttpOptions } from "../jsonrpc/http/options.js"
import type { Dialect } from "../jsonrpc/schema/param.js"
import type { IdentityFlags } from "./identity/identity.js"
import type { ServingProcess } from "./processes/servingProcess.js"

/** The options of a node, wherever its chain comes from. */
export interface NodeOptions extends PublishOptions {
  /** The data directory. Without it nothing is stored, and keys last as long as the process. */
  readonly dataDir?: string | undefined
  readonly dialect: Dialect
  readonly isPublic: boolean
  /** The maximum size of the cached answers and of the values that they are made from, bytes; 256 MiB by default. */
  readonly cacheBytes?: number | undefined
  /** AvalancheGo's services that are enabled in the `avalanchego` dialect. The other dialect always has them. */
  readonly enabledServices?: readonly ("index" | "admin")[]
  /** `on` (the default) if the rows for explorers are updated with the chain. */
  readonly history?: "on" | "off"
  readonly identity?: IdentityFlags
  /** The subnets of L1s whose health is a metric; none by default. */
  readonly watchedL1s?: readonly ID[] | undefined
  /** The number of bytes that must be free on the disk of a healthy node; 4 MiB by default. */
  readonly minFreeDisk?: number
  /** Allows a store on a shared volume, see `OpenStore`. */
  readonly allowsSharedVolume?: boolean | undefined
  /** Options of the HTTP server; by default the node does not listen, and the API is called directly. */
  readonly http?: Partial<HttpOptions> | undefined
  /** This process as one of several that serve the chain; omitted if it serves alone. */
  readonly servingProcess?: ServingProcess | undefined
  readonly log: Log
  /** The machine's clock, Unix milliseconds. */
  wall(): number
}
