import type { Counter, Labels, Registry } from "./registry.js"

/** Sources of the metrics of an HTTP server. */
export interface HttpMetricsSource {
  /** Returns the number of open event streams. */
  streams(): number
  /** Returns the number of calls that wait for their answer. */
  pending(): number
  /** Units that clients were charged since the start. */
  charged(): number
  /** Bytes of answers that clients have not read yet. */
  unread(): number
}

/** Counts HTTP responses by status, and reports pending calls and open streams. */
export class HttpMetrics {
  readonly #responses: (labels: Labels) => Counter
  readonly #byStatus = new Map<number, Counter>()

  constructor(registry: Registry, source: HttpMetricsSource) {
    this.#responses = registry.counter("serac_http_responses_total", "HTTP responses, by status")
    registry.gauge("serac_event_streams", "Clients that listen for events", () => source.streams())
    registry.gauge("serac_rpc_pending", "Calls that wait for their answer", () => source.pending())
    registry.gauge("serac_client_units_total", "Units that clients were charged: milliseconds", () => source.charged(), "counter")
    registry.gauge("serac_unread_bytes", "Bytes of answers that clients have yet to read", () => source.unread())
  }

  responded(status: number): void {
    let counter = this.#byStatus.get(status)
    if (!counter) {
      counter = this.#responses({ status: String(status) })
      this.#byStatus.set(status, counter)
    }
    counter.value++
  }
}
