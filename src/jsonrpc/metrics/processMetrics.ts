import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks"
import type { Registry } from "./registry.js"

/** Interval in which the lag of the event loop is sampled, milliseconds. */
const LAG_RESOLUTION = 20

/** Reports the event loop's lag, memory and CPU time of this process. */
export class ProcessMetrics {
  readonly #lag: IntervalHistogram

  constructor(registry: Registry) {
    this.#lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION })
    this.#lag.enable()
    registry.gauges(
      "serac_event_loop_lag_seconds",
      "Delay of the event loop since the previous scrape, by share of its turns",
      "share",
      () => this.#lags(),
    )
    registry.gauge("process_resident_memory_bytes", "Resident memory", () => process.memoryUsage.rss())
    registry.gauge("nodejs_heap_used_bytes", "Memory that JavaScript objects take", () => process.memoryUsage().heapUsed)
    registry.gauge("process_cpu_seconds_total", "User and system CPU time", cpuSeconds, "counter")
    registry.gauge("process_start_time_seconds", "Start of the process, Unix seconds", () => performance.timeOrigin / 1000)
  }

  close(): void {
    this.#lag.disable()
  }

  #lags(): Record<string, number> {
    const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION / 1000)
    const lag = this.#lag
    const lags = { "0.5": seconds(lag.percentile(50)), "0.99": seconds(lag.percentile(99)), "1": seconds(lag.max) }
    lag.reset()
    return lags
  }
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
