import type { Json } from "../core/lib/json.js"
import { heightOf } from "../core/state/tables.js"
import type { Check } from "../jsonrpc/health/monitor.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { Publisher } from "../postgres/publisher.js"
import type { Store } from "../store/store.js"

/** The health check of a publisher. It fails while blocks cannot be published. */
export function publisherCheck(publisher: Publisher, store: Store): Check {
  return { name: "publish", questions: ["health"], run: () => reportOf(publisher, store) }
}

function reportOf(publisher: Publisher, store: Store): Json {
  const { phase, height, problem } = publisher.status
  if (problem) throw new Error(problem.message)
  return { phase, height: height === undefined ? null : Number(height), lag: Number(lagOf(publisher, store)) }
}

/** Adds the metrics of a publisher. */
export function registerPublisherMetrics(registry: Registry, publisher: Publisher, store: Store): void {
  registry.gauge("serac_publish_height", "Height of the last block in the PostgreSQL database", () =>
    Number(publisher.status.height ?? 0n),
  )
  registry.gauge("serac_publish_lag_blocks", "Blocks that the PostgreSQL database lacks", () => Number(lagOf(publisher, store)))
  registry.gauge("serac_publish_failing", "1 while something keeps blocks from being published", () =>
    publisher.status.problem ? 1 : 0,
  )
  registry.gauge("serac_publish_leader", "1 while this node holds the lock of the publisher", () =>
    publisher.status.phase === "publishing" ? 1 : 0,
  )
}

function lagOf({ status }: Publisher, { latest }: Store): bigint {
  const height = heightOf(latest)
  const published = status.height ?? -1n
  return height > published ? height - published : 0n
}
