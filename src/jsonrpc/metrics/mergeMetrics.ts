import type { MetricSamples } from "./registry.js"

/** Metrics whose values are not summed: the largest value counts, or that of the first process. All others are sums. */
const COMBINED: Readonly<Record<string, "largest" | "first">> = {
  serac_event_loop_lag_seconds: "largest",
  process_start_time_seconds: "first",
}

/** Combines the metrics of the processes of one node, series by series. Counts of several processes are summed. */
export function mergeMetrics(processes: readonly (readonly MetricSamples[])[]): readonly MetricSamples[] {
  const merged = new Map<string, Omit<MetricSamples, "lines"> & { readonly values: Map<string, number> }>()
  for (const { name, help, type, lines } of processes.flat()) {
    const metric = merged.get(name) ?? { name, help, type, values: new Map<string, number>() }
    merged.set(name, metric)
    for (const line of lines) {
      const end = line.lastIndexOf(" ")
      const series = line.slice(0, end)
      metric.values.set(series, combined(name, metric.values.get(series), Number(line.slice(end + 1))))
    }
  }
  return [...merged.values()].map(({ values, ...metric }) => ({
    ...metric,
    lines: [...values].map(([series, value]) => `${series} ${value}`),
  }))
}

function combined(name: string, before: number | undefined, value: number): number {
  if (before === undefined) return value
  const way = COMBINED[name]
  return way === "first" ? before : way === "largest" ? Math.max(before, value) : before + value
}
