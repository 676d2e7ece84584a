import type { ChainMessage, OutgoingMessage } from "../../../src/core/p2p/message.js"
import type { NodeID } from "../../../src/core/types/id.js"
import type { Simulation } from "../simulation.js"

/** A node that messages are delivered to. */
export interface Receiver {
  readonly nodeID: NodeID
  connected(nodeID: NodeID): void
  disconnected(nodeID: NodeID): void
  message(from: NodeID, message: ChainMessage): void
}

/** Carries messages between nodes without frames and handshakes, which other simulations have: with latency, crashes and partitions. */
export class DirectLinks {
  readonly #simulation: Simulation
  readonly #maxLatencyMs: number
  readonly #receivers = new Map<NodeID, Receiver>()
  /** The group of each node; nodes of different groups do not reach each other. */
  #groups: ReadonlyMap<NodeID, number> = new Map()
  /** Number of messages that were sent. */
  sent = 0

  constructor(simulation: Simulation, maxLatencyMs: number) {
    this.#simulation = simulation
    this.#maxLatencyMs = maxLatencyMs
  }

  add(receiver: Receiver): void {
    const { nodeID } = receiver
    for (const other of this.#receivers.values()) {
      if (!this.#canReach(nodeID, other.nodeID)) continue
      other.connected(nodeID)
      receiver.connected(other.nodeID)
    }
    this.#receivers.set(nodeID, receiver)
  }

  remove(nodeID: NodeID): void {
    this.#receivers.delete(nodeID)
    for (const other of this.#receivers.values()) if (this.#canReach(nodeID, other.nodeID)) other.disconnected(nodeID)
  }

  /** Lets only nodes of one group reach each other; nodes that are in no group form one more. */
  partition(...groups: readonly (readonly NodeID[])[]): void {
    const before = this.#groups
    this.#groups = new Map(groups.flatMap((group, i) => group.map((nodeID) => [nodeID, i + 1] as const)))
    for (const a of this.#receivers.values()) {
      for (const { nodeID: b } of this.#receivers.values()) {
        if (a.nodeID === b) continue
        const [did, does] = [(before.get(a.nodeID) ?? 0) === (before.get(b) ?? 0), this.#canReach(a.nodeID, b)]
        if (did && !does) a.disconnected(b)
        else if (!did && does) a.connected(b)
      }
    }
  }

  /** False where the receiver cannot be reached. */
  send(from: NodeID, to: NodeID, message: OutgoingMessage): boolean {
    const receiver = this.#receivers.get(to)
    if (!receiver || !this.#canReach(from, to)) return false
    this.sent++
    const latency = 1 + this.#simulation.random.fraction() * this.#maxLatencyMs
    this.#simulation.after(latency, () => {
      // Messages in flight are lost when a node crashes or is cut off.
      if (this.#receivers.get(to) === receiver && this.#canReach(from, to)) receiver.message(from, message as ChainMessage)
    })
    return true
  }

  #canReach(a: NodeID, b: NodeID): boolean {
    return (this.#groups.get(a) ?? 0) === (this.#groups.get(b) ?? 0)
  }
}
