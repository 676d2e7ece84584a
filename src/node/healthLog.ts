import type { Log } from "../core/lib/log.js"
import type { HealthMonitor } from "../jsonrpc/health/monitor.js"

/** Milliseconds between two runs of the health checks for the log. */
const CHECK_EVERY = 10_000

/** Writes a line to the log when a health check begins to fail, and when it passes again. */
export class HealthLog {
  readonly #health: HealthMonitor
  readonly #log: Log
  readonly #failing = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(health: HealthMonitor, log: Log) {
    this.#health = health
    this.#log = log
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), CHECK_EVERY).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Runs the checks, and reports what has changed since the last time. */
  look(): void {
    for (const [check, { error }] of Object.entries(this.#health.report("health", []).checks)) {
      if (error !== undefined && !this.#failing.has(check)) {
        this.#failing.add(check)
        this.#log.warn("health check fails", { check, reason: error })
      } else if (error === undefined && this.#failing.delete(check)) this.#log.info("health check passes again", { check })
    }
  }
}
