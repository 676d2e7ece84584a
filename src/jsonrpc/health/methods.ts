import { methodWith } from "../method.js"
import { bool, described, list, optional, string, withDefault } from "../schema/kinds.js"
import { number } from "../schema/numbers.js"
import { object } from "../schema/object.js"
import { json, record } from "../schema/outputs.js"
import type { HealthPort, HealthQuestion } from "./monitor.js"

/** Context of the handlers of the health service. */
export interface HealthContext {
  readonly health: HealthPort
}

const method = methodWith<HealthContext>()

const params = object({
  tags: described(withDefault(list(string), []), "The tags of the checks to report; all checks by default."),
})

/** A time in RFC 3339 with nanoseconds, already printed. */
const timestamp = { ...string, jsonSchema: { type: "string", format: "date-time" } }

const report = object({
  checks: record(
    object({
      message: optional(json),
      error: optional(string),
      timestamp,
      duration: described(number, "The duration of the check in nanoseconds."),
      contiguousFailures: optional(number),
      timeOfFirstFailure: optional(timestamp),
    }),
    "name",
  ),
  healthy: bool,
})

function question<const Q extends HealthQuestion>(name: Q, summary: string) {
  return method({
    name: `health.${name}`,
    summary,
    params,
    result: report,
    examples: [],
    handler: ({ tags }, { health }) => health.report(name, tags),
  })
}

export const health = question("health", "Returns the result of every health check of the node.")
export const readiness = question("readiness", "Returns whether the node is ready to answer requests.")
export const liveness = question("liveness", "Returns whether the node is alive. A node that is not alive must be restarted.")
