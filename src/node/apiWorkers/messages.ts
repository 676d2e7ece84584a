import type { LogData, LogLevel } from "../../core/lib/log.js"
import type { Rules } from "../../core/rules/context.js"
import type { NodeID } from "../../core/types/id.js"
import type { ForwardedCall } from "../../jsonrpc/call/forwardedCall.js"
import type { HealthQuestion } from "../../jsonrpc/health/monitor.js"
import type { HttpOptions } from "../../jsonrpc/http/options.js"
import type { MetricSamples } from "../../jsonrpc/metrics/registry.js"
import type { Dialect } from "../../jsonrpc/schema/param.js"
import type { GenesisFacts, NodeIdentity, NodeVersion } from "../../services/context.js"

/** The facts about its node that a worker needs. All messages have only values that can be copied to another process. */
export interface WorkerSetup {
  /** The directory of the store. */
  readonly dir: string
  readonly mode: "dev" | "serve" | "join"
  readonly dialect: Dialect
  readonly isPublic: boolean
  readonly rules: Rules
  readonly genesis: GenesisFacts
  readonly version: NodeVersion
  readonly identity: NodeIdentity
  /** True if a block made now would name the last accepted height as that of Warp messages. */
  readonly proposesLastHeight: boolean
  /** True if the node has the services `index` and `admin`. */
  readonly hasIndex: boolean
  readonly hasAdmin: boolean
  /** The worker's share of the node's limits. */
  readonly http: HttpOptions
  /** The worker's share of the answer cache, bytes. */
  readonly cacheBytes: number
  readonly logLevel: LogLevel
  readonly status: MainStatus
}

/** The facts that only the main process knows and no call changes: whether the chain is ready, and the uptimes of peers. */
export interface MainStatus {
  readonly isReady: boolean
  readonly uptimes?: ReadonlyMap<NodeID, { readonly connected: boolean; readonly uptime: number }> | undefined
}

/** Units that clients were charged: the client and its units. */
export type ChargedUnits = readonly (readonly [client: string, units: number])[]

/** A page that the main process answers for its workers. */
export interface ForwardedPage {
  readonly page: "metrics" | HealthQuestion
  readonly query: string
}

/** An answer to a question, by the question's number. */
export type WorkerAnswer =
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | { readonly kind: "failure"; readonly id: number; readonly reason: string }

/** A message to a worker. A connection comes with its socket. */
export type ToWorker =
  | { readonly kind: "start"; readonly setup: WorkerSetup }
  | { readonly kind: "connection" }
  | { readonly kind: "status"; readonly status: MainStatus }
  | { readonly kind: "units"; readonly units: ChargedUnits }
  | { readonly kind: "samples"; readonly id: number }
  | { readonly kind: "stop" }
  | WorkerAnswer

/** A message from a worker. */
export type FromWorker =
  | { readonly kind: "ready" }
  /** The connection that was sent last has arrived. */
  | { readonly kind: "taken" }
  | { readonly kind: "call"; readonly id: number; readonly question: ForwardedCall }
  | { readonly kind: "page"; readonly id: number; readonly question: ForwardedPage }
  | { readonly kind: "units"; readonly units: ChargedUnits }
  | { readonly kind: "log"; readonly level: Exclude<LogLevel, "off">; readonly event: string; readonly data: LogData | undefined }
  | (Extract<WorkerAnswer, { kind: "answer" }> & { readonly value: readonly MetricSamples[] })
