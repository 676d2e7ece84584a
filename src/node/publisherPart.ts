import type { Json } from "../core/lib/json.js"
import { heightOf } from "../core/state/tables.js"
import { nodeError } from "../datadir/errors.js"
import type { Registry } from "../jsonrpc/metrics/registry.js"
import type { Publisher } from "../postgres/publisher.js"
import type { Store } from "../store/store.js"
import type { FaultReports, NodeChain, NodePart } from "./nodeChain.js"
import type { NodeOptions } from "./options.js"

export interface PublisherPart extends NodePart {
  /** Called when the store has changed. */
  wake(): void
}

/** Opens the publisher of a chain if the options name a database. A node that publishes nothing does not load it. */
export async function publishersOf(
  store: Store,
  options: NodeOptions & FaultReports,
  { data, live }: NodeChain,
): Promise<readonly PublisherPart[]> {
  const { publish: url, snapshotEvery, replaces, history, log, reportFault } = options
  if (url === undefined) return []
  if (history === "off") throw nodeError("node.publish_without_history")
  const [{ openPublisher }, { untilCompared }] = await Promise.all([
    import("../datadir/openPublisher.js"),
    import("../postgres/untilPublished.js"),
  ])
  const publisher = openPublisher({
    url,
    store,
    data,
    canRevert: live.isPrivate ?? false,
    snapshotEvery,
    replaces,
    log,
    reportFault,
  })
  return [
    {
      checks: [{ name: "publish", run: () => reportOf(publisher, store) }],
      registerMetrics: (metrics) => registerPublisherMetrics(metrics, publisher, store),
      wake: () => publisher.wake(),
      /** Rejects if the database has another chain. */
      start() {
        publisher.start()
        return untilCompared(publisher)
      },
      stop: () => publisher.stop(),
    },
  ]
}

/** Reports the progress of a publisher. Throws while blocks cannot be published. */
function reportOf(publisher: Publisher, store: Store): Json {
  const { phase, height, problem } = publisher.status
  if (problem) throw new Error(problem.message)
  return { phase, height: height === undefined ? null : Number(height), lag: Number(lagOf(publisher, store)) }
}

export function registerPublisherMetrics(registry: Registry, publisher: Publisher, store: Store): void {
  const height = () => Number(publisher.status.height ?? 0n)
  registry.gauge("serac_publish_height", "Height of the last block in the PostgreSQL database", height)
  registry.gauge("serac_publish_lag_blocks", "Blocks that the PostgreSQL database lacks", () => Number(lagOf(publisher, store)))
  const isFailing = () => (publisher.status.problem ? 1 : 0)
  registry.gauge("serac_publish_failing", "1 while something keeps blocks from being published", isFailing)
  const isLeader = () => (publisher.status.phase === "publishing" ? 1 : 0)
  registry.gauge("serac_publish_leader", "1 while this node holds the lock of the publisher", isLeader)
}

function lagOf({ status }: Publisher, { latest }: Store): bigint {
  const height = heightOf(latest)
  const published = status.height ?? -1n
  return height > published ? height - published : 0n
}
