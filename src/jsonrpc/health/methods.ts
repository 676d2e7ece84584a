import { methodWith } from "../method.js"
import { answer } from "../result.js"
import { list, object, string, withDefault } from "../schema/kinds.js"
import type { HealthPort, HealthQuestion } from "./monitor.js"

/** What the handlers of the health service are given. */
export interface HealthContext {
  readonly health: HealthPort
}

const method = methodWith<HealthContext>()

const params = object({ tags: withDefault(list(string), []) })

const report = answer.object({
  checks: answer.map(
    answer.object({
      message: answer.optional(answer.json),
      error: answer.optional(answer.string),
      timestamp: answer.time,
      duration: answer.described(answer.number, "nanoseconds"),
      contiguousFailures: answer.optional(answer.number),
      timeOfFirstFailure: answer.optional(answer.time),
    }),
    "name",
  ),
  healthy: answer.bool,
})

function question<const Q extends HealthQuestion>(asked: Q, summary: string) {
  return method({
    name: `health.${asked}`,
    summary,
    params,
    result: report,
    examples: [],
    handler: ({ tags }, { health }) => health.report(asked, tags),
  })
}

export const health = question("health", "Whether everything works.")
export const readiness = question("readiness", "Whether the node has come far enough to be asked.")
export const liveness = question("liveness", "Whether the node is alive; where not, it has to be started again.")
