import type { Log } from "../core/lib/log.js"
import type { HealthMonitor } from "../jsonrpc/health/monitor.js"

/** Milliseconds between two runs of the health checks for the log. */
const CHECK_EVERY = 10_000

/** Writes a line to the log when a health check begins to fail, and when it passes again. */
export function healthLog(health: HealthMonitor, log: Log) {
  const failing = new Set<string>()
  const look = () => {
    for (const [check, { error }] of Object.entries(health.report("health", []).checks)) {
      if (error !== undefined && !failing.has(check)) {
        failing.add(check)
        log.warn("health check fails", { check, reason: error })
      } else if (error === undefined && failing.delete(check)) log.info("health check passes again", { check })
    }
  }
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setInterval(look, CHECK_EVERY).unref()
  }
  return { look, start, stop: () => clearInterval(timer) }
}
