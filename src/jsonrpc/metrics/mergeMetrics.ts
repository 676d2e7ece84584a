import type { MetricSamples } from "./registry.js"

type Combination = "sum" | "largest" | "smallest"

/** The metrics that are combined in their own way. Other counters and histograms are summed, and of other gauges the largest value counts. */
const COMBINED: Readonly<Record<string, Combination>> = {
  nodejs_heap_used_bytes: "sum",
  process_resident_memory_bytes: "sum",
  process_start_time_seconds: "smallest",
  serac_answer_cache_bytes: "sum",
  // Every process counts the blocks of the same chain.
  serac_blocks_accepted_total: "largest",
  serac_transactions_accepted_total: "largest",
  serac_database_writable: "smallest",
  serac_event_streams: "sum",
  serac_healthy: "smallest",
  serac_rpc_pending: "sum",
  serac_unread_bytes: "sum",
}

/** Combines the metrics of the processes that serve one chain, series by series. */
export function mergeMetrics(processes: readonly (readonly MetricSamples[])[]): readonly MetricSamples[] {
  const merged = new Map<string, Omit<MetricSamples, "lines"> & { readonly values: Map<string, number> }>()
  for (const { name, help, type, lines } of processes.flat()) {
    const metric = merged.get(name) ?? { name, help, type, values: new Map<string, number>() }
    merged.set(name, metric)
    const way = COMBINED[name] ?? (type === "gauge" ? "largest" : "sum")
    for (const line of lines) {
      const end = line.lastIndexOf(" ")
      const series = line.slice(0, end)
      metric.values.set(series, combined(way, metric.values.get(series), Number(line.slice(end + 1))))
    }
  }
  return [...merged.values()].map(({ values, ...metric }) => ({
    ...metric,
    lines: [...values].map(([series, value]) => `${series} ${value}`),
  }))
}

function combined(way: Combination, before: number | undefined, value: number): number {
  if (before === undefined) return value
  return way === "sum" ? before + value : way === "largest" ? Math.max(before, value) : Math.min(before, value)
}
