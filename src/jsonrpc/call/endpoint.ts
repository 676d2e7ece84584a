import type { Invalid } from "../../core/lib/invalid.js"
import type { AnyMethod, CallSource } from "../method.js"
import type { Dialect, ParseContext } from "../schema/param.js"
import type { AnyService, ContextLease } from "../service.js"
import type { ForwardedCall, ForwardedOutcome } from "./forward.js"

/** Outcome of a call. */
export interface CallReport {
  readonly method: string
  readonly seconds: number
  /** Whether the request had no ID, so that no answer is sent. */
  readonly isNotification: boolean
  /** The reason of a failure: an `Invalid`, or a fault in Serac. */
  readonly error?: unknown | undefined
}

/** One service as it answers: its methods, its habits, and what it is connected to. Knows nothing of HTTP. */
export interface Endpoint extends CallSource {
  readonly service: Pick<AnyService, "name" | "needsChain" | "isPrivileged" | "foreignOrigins">
  /** By full name. */
  readonly methods: ReadonlyMap<string, AnyMethod>
  readonly dialect: Dialect
  /** Text format of values in JSON, for reading and writing. */
  readonly spelling: ParseContext
  /** Refuses what speaks of this very node. */
  readonly isPublic?: boolean
  /** The origin of the page that calls, where it may read but not write. */
  readonly foreignOrigin?: string
  /** Refuses every method, with status 404: a service that is known but not to be had (api.md §4). */
  readonly isClosed?: boolean
  /** Opens what a handler is given; called once for each call. */
  open(): ContextLease<unknown>
  /** Returns the path at which another service has this method, for a hint. */
  pathOf?(method: string): string | undefined
  /** Receives a report of each call of a method. */
  observe?(call: CallReport): void
  /** Receives the reason for each body that is no request, and for each request that names no method which may be called here. */
  onRefusal?(error: Invalid): void
  /** Called with faults in Serac. */
  onFault?(error: unknown, method: string): void
  /** Lets another process of the node execute a call whose context threw `Elsewhere`. */
  forward?(call: ForwardedCall): Promise<ForwardedOutcome>
}
