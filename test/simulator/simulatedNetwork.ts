import { Invalid } from "../../src/core/lib/invalid.js"
import type { ConnectionID } from "../../src/core/p2p/inbox.js"
import type { IpPort } from "../../src/core/p2p/ipPort.js"
import type { Peers } from "../../src/core/p2p/peers.js"
import type { PeersPort } from "../../src/core/p2p/peersPort.js"
import type { Remote } from "../../src/core/p2p/session.js"
import type { NodeID } from "../../src/core/types/id.js"
import type { Simulation } from "./simulation.js"

/** The behaviour of connections. Times are in milliseconds. */
export interface LinkConditions {
  readonly minLatency: number
  readonly maxLatency: number
  /** The probability that a connection breaks at a message, as it does after repeatedly lost TCP segments. */
  readonly breakage: number
  /** The probability that a message about the chain is overtaken by later ones: nodes answer requests in any order. */
  readonly reordering?: number
  /** The factor by which messages of these nodes take longer. */
  readonly slowness?: ReadonlyMap<NodeID, number>
}

/** The first bytes of messages whose order matters: Ping, Pong, Handshake, PeerList. */
const orderedTags: ReadonlySet<number> = new Set([0x5a, 0x62, 0x6a, 0x72])
/** Offset of a message in its frame, after the length. */
const TAG_OFFSET = 4
/** The factor by which a reordered message is slower. */
const OVERTAKEN_FACTOR = 4

/** A node of the simulated network. */
export interface SimulatedHost {
  readonly remote: Remote
  readonly port: number
  readonly peers: Peers
}

interface End {
  readonly host: SimulatedHost
  readonly id: ConnectionID
  /** Frames arrive in the order in which they were sent. */
  lastArrival: number
  other: End | undefined
}

/** Carries the bytes between the peers of simulated nodes: with latency, breakage, slow nodes, overtaken messages and partitions. */
export class SimulatedNetwork {
  readonly #simulation: Simulation
  readonly #hosts = new Map<NodeID, SimulatedHost>()
  readonly #ends = new Map<NodeID, Map<ConnectionID, End>>()
  #groups: ReadonlyMap<NodeID, number> = new Map()
  conditions: LinkConditions

  constructor(simulation: Simulation, conditions: LinkConditions) {
    this.#simulation = simulation
    this.conditions = conditions
  }

  add(host: SimulatedHost): void {
    this.#hosts.set(host.remote.nodeID, host)
    this.#ends.set(host.remote.nodeID, new Map())
  }

  /** Removes a node, as after a crash: the others see their connections end. */
  remove(nodeID: NodeID): void {
    for (const end of [...(this.#ends.get(nodeID)?.values() ?? [])]) this.#cut(end)
    this.#hosts.delete(nodeID)
    this.#ends.delete(nodeID)
  }

  /** Lets only nodes of the same group reach each other; nodes that are in no group form one more. */
  partition(...groups: readonly (readonly NodeID[])[]): void {
    this.#groups = new Map(groups.flatMap((group, i) => group.map((nodeID) => [nodeID, i + 1])))
    for (const ends of this.#ends.values()) {
      for (const end of [...ends.values()]) if (end.other && !this.#canReach(end.host, end.other.host)) this.#cut(end)
    }
  }

  heal(): void {
    this.#groups = new Map()
  }

  /** The part of a node's port that this network serves. */
  portOf(nodeID: NodeID): Pick<PeersPort, "write" | "close" | "dial"> {
    return {
      write: (id, frame) => this.#write(nodeID, id, frame),
      close: (id) => this.#close(nodeID, id),
      dial: (target, address) => this.#dial(nodeID, target, address),
    }
  }

  #latency(): number {
    const { minLatency, maxLatency } = this.conditions
    return minLatency + this.#simulation.random.fraction() * (maxLatency - minLatency)
  }

  #canReach(a: SimulatedHost, b: SimulatedHost): boolean {
    return (this.#groups.get(a.remote.nodeID) ?? 0) === (this.#groups.get(b.remote.nodeID) ?? 0)
  }

  #write(nodeID: NodeID, id: ConnectionID, frame: Uint8Array): boolean {
    const end = this.#ends.get(nodeID)?.get(id)
    const other = end?.other
    if (!end || !other) return false
    if (this.#simulation.random.fraction() < this.conditions.breakage) {
      this.#simulation.after(0, () => this.#cut(end))
      return true
    }
    const { reordering = 0, slowness } = this.conditions
    const latency = this.#latency() + (slowness?.get(nodeID) ?? 0)
    const mayBeOvertaken = reordering > 0 && !orderedTags.has(frame[TAG_OFFSET] as number)
    const isOvertaken = mayBeOvertaken && this.#simulation.random.fraction() < reordering
    const arrival = this.#simulation.now + latency * (isOvertaken ? OVERTAKEN_FACTOR : 1)
    const at = Math.max(other.lastArrival, arrival)
    if (!isOvertaken) other.lastArrival = at
    this.#simulation.after(at - this.#simulation.now, () => {
      if (!this.#isOpen(other)) return
      other.host.peers.received(other.id, frame, this.#simulation.now)
      other.host.peers.work(this.#simulation.now, () => false)
    })
    return true
  }

  #close(nodeID: NodeID, id: ConnectionID): void {
    const end = this.#ends.get(nodeID)?.get(id)
    if (end) this.#cut(end)
  }

  #isOpen(end: End): boolean {
    return this.#ends.get(end.host.remote.nodeID)?.get(end.id) === end
  }

  /** Ends a connection: here at once, at the other end a little later. */
  #cut(end: End): void {
    this.#drop(end)
    const { other } = end
    if (other) this.#simulation.after(this.#latency(), () => this.#drop(other))
  }

  #drop(end: End): void {
    if (!this.#isOpen(end)) return
    this.#ends.get(end.host.remote.nodeID)?.delete(end.id)
    end.host.peers.closed(end.id, this.#simulation.now)
  }

  #dial(from: NodeID, target: NodeID, { port }: IpPort): void {
    this.#simulation.after(this.#latency(), () => {
      const dialer = this.#hosts.get(from)
      const listener = [...this.#hosts.values()].find((host) => host.port === port)
      if (!dialer) return
      if (!listener || !this.#canReach(dialer, listener) || !this.#connect(dialer, listener)) {
        dialer.peers.dialFailed(target, this.#simulation.now)
      }
    })
  }

  #connect(dialer: SimulatedHost, listener: SimulatedHost): boolean {
    const one = this.#open(dialer, listener, false)
    const two = one && this.#open(listener, dialer, true)
    if (!one || !two) {
      if (one) this.#drop(one)
      return false
    }
    one.other = two
    two.other = one
    for (const { host, id } of [one, two]) host.peers.start(id, this.#simulation.now)
    return true
  }

  #open(host: SimulatedHost, remote: SimulatedHost, isInbound: boolean): End | undefined {
    try {
      const address = { ip: Uint8Array.of(127, 0, 0, 1), port: remote.port }
      const id = host.peers.open(remote.remote, address, this.#simulation.now, isInbound)
      const end: End = { host, id, lastArrival: 0, other: undefined }
      this.#ends.get(host.remote.nodeID)?.set(id, end)
      return end
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
      return undefined
    }
  }
}
