import type { HealthQuestion } from "../../jsonrpc/health/monitor.js"
import type { Answer, Request } from "../../workers/requests.js"

/** A question about one process, or from one process about all of them: for the metrics, or about health. */
export type StatusQuestion =
  | { readonly kind: "metrics" }
  | { readonly kind: "health"; readonly question: HealthQuestion; readonly tags: readonly string[] }

/** A message to one of several processes that serve a chain. */
export type ToProcess = Request<StatusQuestion> | { readonly kind: "stop" } | Answer

/** A message from one of several processes that serve a chain. `banner` is the text that describes the server, which now serves. */
export type FromProcess = Request<StatusQuestion> | { readonly kind: "ready"; readonly banner: string } | Answer
