import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks"
import { type Counter, type Histogram, Registry } from "./registry.js"

/** What the metrics are read from. */
export interface MetricsSource {
  /** The last accepted height; `undefined` before there is one. */
  height(): number | undefined
  mempoolSize(): number
  /** How many clients listen for events. */
  streams(): number
  /** How many calls wait for their answer. */
  pending(): number
}

/** Upper bounds of the latency histogram, in seconds. */
const LATENCY_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30]

/** The lag of the event loop is looked at this often, in milliseconds. */
const LAG_RESOLUTION = 20

/** What an operator watches: requests and their latency by method, the chain's height, the mempool, the event loop. */
export class NodeMetrics {
  readonly #registry = new Registry()
  readonly #latency = this.#registry.histogram("serac_rpc_request_seconds", "Time to answer a call, by method", LATENCY_BOUNDS)
  readonly #requests = this.#registry.counter("serac_rpc_requests_total", "Calls answered, by method and outcome")
  readonly #responses = this.#registry.counter("serac_http_responses_total", "HTTP responses, by status")
  readonly #lag: IntervalHistogram
  readonly #byMethod = new Map<string, { readonly latency: Histogram; readonly ok: Counter; readonly failed: Counter }>()
  readonly #byStatus = new Map<number, Counter>()

  constructor(source: MetricsSource) {
    const registry = this.#registry
    this.#lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION })
    this.#lag.enable()
    registry.gauge("serac_chain_height", "Height of the last accepted block", () => source.height())
    registry.gauge("serac_mempool_transactions", "Transactions that wait for a block", () => source.mempoolSize())
    registry.gauge("serac_event_streams", "Clients that listen for events", () => source.streams())
    registry.gauge("serac_rpc_pending", "Calls that wait for their answer", () => source.pending())
    registry.gauges("serac_event_loop_lag_seconds", "How late the event loop was since the last look", "quantile", () =>
      this.#lags(),
    )
    registry.gauge("process_resident_memory_bytes", "Resident memory", () => process.memoryUsage.rss())
    registry.gauge("process_cpu_seconds_total", "User and system CPU time", cpuSeconds, "counter")
    registry.gauge("process_start_time_seconds", "Start of the process, Unix seconds", () => performance.timeOrigin / 1000)
  }

  called(method: string, seconds: number, hasFailed: boolean): void {
    let series = this.#byMethod.get(method)
    if (!series) {
      const latency = this.#latency({ method })
      series = { latency, ok: this.#requests({ method, outcome: "ok" }), failed: this.#requests({ method, outcome: "error" }) }
      this.#byMethod.set(method, series)
    }
    series.latency.observe(seconds)
    series[hasFailed ? "failed" : "ok"].value++
  }

  responded(status: number): void {
    let counter = this.#byStatus.get(status)
    if (!counter) {
      counter = this.#responses({ status: String(status) })
      this.#byStatus.set(status, counter)
    }
    counter.value++
  }

  print(): string {
    return this.#registry.print()
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
