import { type Uptime, UptimeTracker } from "../../../src/core/chain/uptime.js"
import type { NodeID } from "../../../src/core/types/id.js"
import type { Entry, Group } from "../group.js"

/** One run of a script: the stored records outlive the tracker. */
class Run {
  readonly records = new Map<NodeID, Uptime>()
  readonly answers: unknown[] = []
  tracker = this.#start()

  #start(): UptimeTracker {
    return new UptimeTracker({
      get: (nodeID) => this.records.get(nodeID),
      put: (nodeID, uptime) => this.records.set(nodeID, uptime),
    })
  }

  add(nodeID: NodeID, start: bigint): void {
    this.records.set(nodeID, { upDuration: 0n, lastUpdated: start })
  }

  step({ op, node, nodes, at, start, from }: Entry): void {
    const now = BigInt(at ?? 0)
    const operations: Readonly<Record<string, () => void>> = {
      startTracking: () => this.tracker.startTracking(nodes ?? this.records.keys(), now),
      stopTracking: () => this.tracker.stopTracking(nodes ?? this.records.keys(), now),
      connect: () => this.tracker.connect(node, now),
      disconnect: () => this.tracker.disconnect(node, now),
      addNode: () => this.add(node, BigInt(start ?? at)),
      restart: () => {
        this.tracker = this.#start()
      },
      query: () => this.answers.push(this.#answer(node, now, from)),
    }
    const operation = operations[op]
    if (operation === undefined) throw new Error(`unknown operation ${op}`)
    operation()
  }

  #answer(node: NodeID, now: bigint, from: Entry): unknown {
    const uptime = this.tracker.getUptime(node, now)
    if (uptime === undefined) return { error: "ErrNotFound" }
    const answer = { upSeconds: uptime.upDuration, lastUpdated: uptime.lastUpdated }
    return from === undefined ? answer : { ...answer, percent: this.tracker.getUptimeShare(node, BigInt(from), now) }
  }
}

export const uptime: Group = {
  script({ input, expected }, verdict) {
    const run = new Run()
    for (const [node, start] of Object.entries<Entry>(input.validatorsAtStart)) run.add(node as NodeID, BigInt(start))
    for (const step of input.script) run.step(step)
    const wanted = expected.queries.map((query: Entry) =>
      query.error !== undefined
        ? { error: "ErrNotFound" }
        : query.percent === undefined
          ? query
          : { ...query, percent: Number(query.percent) },
    )
    verdict.equal("queries", run.answers, wanted)
  },
}
