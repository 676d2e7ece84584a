import { methodWith } from "../method.js"
import { bool, described, list, optional, string, withDefault } from "../schema/kinds.js"
import { number } from "../schema/numbers.js"
import { object } from "../schema/object.js"
import { json, record } from "../schema/outputs.js"
import type { HealthPort, HealthQuestion } from "./monitor.js"

/** What the handlers of the health service are given. */
export interface HealthContext {
  readonly health: HealthPort
}

const method = methodWith<HealthContext>()

const params = object({ tags: withDefault(list(string), []) })

/** RFC 3339 with nanoseconds, ready. */
const timestamp = { ...string, jsonSchema: { type: "string", format: "date-time" } }

const report = object({
  checks: record(
    object({
      message: optional(json),
      error: optional(string),
      timestamp,
      duration: described(number, "nanoseconds"),
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

export const health = question("health", "Whether everything works.")
export const readiness = question("readiness", "Whether the node has come far enough to be asked.")
export const liveness = question("liveness", "Whether the node is alive; where not, it has to be started again.")
