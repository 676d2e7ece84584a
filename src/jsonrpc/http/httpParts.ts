import type { EventHub } from "../events/hub.js"
import type { Dialect } from "../schema/param.js"
import type { Routes, Subtrees } from "./route/routes.js"
import type { StaticFiles } from "./route/staticFiles.js"

/** Parts with which the HTTP server answers requests. */
export interface HttpParts {
  readonly dialect: Dialect
  readonly routes: Routes
  /** Routes that also have every path below their own. */
  readonly subtrees?: Subtrees
  /** Routes for requests that name one in the header `Avalanche-Api-Route`; omitted if the header means nothing. */
  readonly headerRoutes?: Routes
  /** Sentences about paths at which nothing is served, by the beginnings of the paths; only in Serac's own dialect. */
  readonly hints?: ReadonlyMap<string, string>
  readonly hubs: readonly EventHub[]
  /** Files that are served from memory. */
  readonly files: StaticFiles
  /** Returns false while the chain is not ready. */
  isReady(): boolean
  /** Returns the height of the state that an answer would be read from now. */
  height(): bigint
  /** Called with the status of each response, and the client that gets it. */
  responded?(status: number, client: string): void
  /** Called once, if the proxy at an address names its clients and is not trusted, so that all of them count as one. */
  onUnknownProxy?(address: string): void
  /** Called with faults in Serac. */
  onFault?(error: unknown, url: string): void
}
