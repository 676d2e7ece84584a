import type { Counter, Histogram, Labels, Registry } from "./registry.js"

/** Upper bounds of the latency histogram, in seconds. */
const LATENCY_BOUNDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30]

/** Counts calls and their latency by method. */
export class CallMetrics {
  readonly #latency: (labels: Labels) => Histogram
  readonly #requests: (labels: Labels) => Counter
  readonly #byMethod = new Map<string, { readonly latency: Histogram; readonly ok: Counter; readonly failed: Counter }>()

  constructor(registry: Registry) {
    this.#latency = registry.histogram("serac_rpc_request_seconds", "Time to answer a call, by method", LATENCY_BOUNDS)
    this.#requests = registry.counter("serac_rpc_requests_total", "Calls answered, by method and outcome")
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
}
