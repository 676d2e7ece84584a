import { printRfc3339Nano } from "../../core/lib/go/rfc3339Nano.js"
import { Invalid } from "../../core/lib/invalid.js"
import type { Json } from "../../core/lib/json.js"

/** Questions about the node: whether everything is healthy, whether it can be used, and whether it must be restarted. */
export type HealthQuestion = "health" | "readiness" | "liveness"

/** One health check. */
export interface Check {
  readonly name: string
  /** The questions that it answers; by default only whether everything is healthy. */
  readonly questions?: readonly HealthQuestion[]
  /** The tags under which the check runs. By default it runs under every tag. */
  readonly tags?: readonly string[]
  /** Returns a report; throws if the check fails. */
  run(): Json
}

/** Result of a check, with AvalancheGo's members. */
export interface CheckResult {
  readonly message?: Json | undefined
  readonly error?: string | undefined
  /** RFC 3339 with nanoseconds. */
  readonly timestamp: string
  /** Nanoseconds. */
  readonly duration: number
  readonly contiguousFailures?: number | undefined
  readonly timeOfFirstFailure?: string | undefined
}

/** The answer to one question. */
export interface HealthReport {
  readonly checks: Readonly<Record<string, CheckResult>>
  readonly healthy: boolean
}

/** Answers the three questions, immediately or later. */
export interface HealthPort {
  report(question: HealthQuestion, tags: readonly string[]): HealthReport | Promise<HealthReport>
}

/** Runs the checks on request, and remembers since when a check fails. */
export class HealthMonitor implements HealthPort {
  readonly #checks: readonly Check[]
  readonly #nowNanoseconds: () => bigint
  readonly #failures = new Map<string, { count: number; since: string }>()

  /** The clock counts nanoseconds since 1970. */
  constructor(checks: readonly Check[], nowNanoseconds: () => bigint) {
    this.#checks = checks
    this.#nowNanoseconds = nowNanoseconds
  }

  report(question: HealthQuestion, tags: readonly string[]): HealthReport {
    const requested = this.#checks.filter(
      ({ questions = ["health"], tags: own }) =>
        questions.includes(question) && (tags.length === 0 || own === undefined || own.some((tag) => tags.includes(tag))),
    )
    const checks = Object.fromEntries(requested.map((check) => [check.name, this.#run(check)]))
    return { checks, healthy: Object.values(checks).every(({ error }) => error === undefined) }
  }

  #run({ name, run }: Check): CheckResult {
    const start = this.#nowNanoseconds()
    let message: Json | undefined
    let error: string | undefined
    try {
      message = run()
    } catch (thrown) {
      error = thrown instanceof Invalid || thrown instanceof Error ? thrown.message : String(thrown)
    }
    const end = this.#nowNanoseconds()
    const timestamp = printRfc3339Nano(end)
    const result = { message, error, timestamp, duration: Number(end - start) }
    if (error === undefined) {
      this.#failures.delete(name)
      return result
    }
    const failure = this.#failures.get(name) ?? { count: 0, since: timestamp }
    failure.count++
    this.#failures.set(name, failure)
    return { ...result, contiguousFailures: failure.count, timeOfFirstFailure: failure.since }
  }
}
