import type { CheckResult, HealthReport } from "../../jsonrpc/health/monitor.js"

/** The number of processes that serve, and of those that should. */
export interface ProcessCount {
  readonly serving: number
  readonly count: number
}

/**
 * Merges the health reports of processes. A check is that of the first process in which it fails, or of the first process. The check
 * `processes` never fails, because a process that ended is replaced and the others answer meanwhile.
 */
export function mergeReports(reports: readonly HealthReport[], processes: ProcessCount, timestamp: string): HealthReport {
  const checks: Record<string, CheckResult> = {}
  for (const report of reports) {
    for (const [name, check] of Object.entries(report.checks)) {
      const known = checks[name]
      if (!known || (known.error === undefined && check.error !== undefined)) checks[name] = check
    }
  }
  checks.processes = { message: { ...processes }, timestamp, duration: 0 }
  return { checks, healthy: reports.length > 0 && reports.every(({ healthy }) => healthy) }
}
