import type { Invalid } from "../../core/lib/invalid.js"
import type { AnswerRoom } from "../answerRoom.js"
import type { Admission } from "../limits/meter.js"
import type { AnyMethod, CallSource } from "../method.js"
import type { Dialect, ParseContext } from "../schema/param.js"
import type { AnyService, ContextLease } from "../service.js"
import type { AnswerCache } from "./answerCache.js"

/** Outcome of a call. */
export interface CallReport {
  readonly method: string
  readonly seconds: number
  /** True if the request had no ID, so that no answer is sent. */
  readonly isNotification: boolean
  /** The reason of a failure: an `Invalid`, or a fault in Serac. */
  readonly error?: unknown | undefined
}

/** The sender of a body. */
export interface Caller extends CallSource {
  /** The origin of the calling page, if this page may read but not write. */
  readonly foreignOrigin?: string | undefined
  /** The limits of the caller, which is charged for its calls; omitted for a caller within the process. */
  readonly admission?: Admission
}

/** One service as it is served at a path: its methods, its properties and its contexts. It does not depend on HTTP. */
export interface Endpoint {
  readonly service: Pick<AnyService, "name" | "needsChain" | "isPrivileged" | "isExtension" | "foreignOrigins">
  /** The methods by full name. */
  readonly methods: ReadonlyMap<string, AnyMethod>
  readonly dialect: Dialect
  /** Text format of values in JSON, for reading and writing. */
  readonly textFormat: ParseContext
  /** True if methods about this particular node are refused. */
  readonly isPublic?: boolean
  /** True if every method is refused with status 404, because the service is not available here. */
  readonly isClosed?: boolean
  /** The answers that may be sent again; omitted if none is. */
  readonly answers?: AnswerCache | undefined
  /** The room for answers that are being printed. */
  readonly answerRoom: AnswerRoom
  /** Opens the context of one call. */
  open(): ContextLease<unknown>
  /** Returns the path at which another service has this method, as a hint in the refusal. */
  pathOf?(method: string): string | undefined
  /** Receives a report of each call of a method. */
  observe?(call: CallReport): void
  /** Receives the error of each body that is not a request, and of each request that names no method which may be called here. */
  onRefusal?(error: Invalid): void
  /** Called with faults in Serac. */
  onFault?(error: unknown, method: string): void
}
