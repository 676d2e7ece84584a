import type { HealthQuestion } from "../../jsonrpc/health/monitor.js"
import type { RequestAnswer } from "./processRequests.js"

/** A request about one process, or from one process about all of them: the metrics, or the answer to a question about health. */
export type StatusRequest =
  | { readonly kind: "metrics" }
  | { readonly kind: "health"; readonly question: HealthQuestion; readonly tags: readonly string[] }

/** A message to one of several processes that serve a chain. */
export type ToProcess =
  | { readonly kind: "request"; readonly id: number; readonly request: StatusRequest }
  | { readonly kind: "stop" }
  | RequestAnswer

/** A message from one of several processes that serve a chain. */
export type FromProcess =
  | { readonly kind: "request"; readonly id: number; readonly request: StatusRequest }
  /** The process serves. `banner` is the text that describes the server. */
  | { readonly kind: "ready"; readonly banner: string }
  | RequestAnswer
