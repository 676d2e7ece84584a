import { type Random, randomIndex } from "../../p2p/random.js"
import type { NodeID } from "../../types/id.js"

interface PeerMeasurements {
  /** Bytes a millisecond, averaged; undefined until the first answer. */
  bandwidth: number | undefined
  /** Failures since the last answer. */
  failures: number
  isBusy: boolean
}

const NEW_WEIGHT = 0.3
const RANDOM_SHARE = 0.2
/** The share of the requests that a node which was never asked gets while others answer. New nodes may connect without end, and answer nothing. */
const UNTRIED_SHARE = 0.1

/** Chooses the nodes to ask for blocks: mostly the fastest that answer, a new one sometimes or if none answers, and never a busy one. */
export class PeerChoice {
  readonly #random: Random
  readonly #peers = new Map<NodeID, PeerMeasurements>()

  constructor(random: Random) {
    this.#random = random
  }

  add(nodeID: NodeID): void {
    if (!this.#peers.has(nodeID)) this.#peers.set(nodeID, { bandwidth: undefined, failures: 0, isBusy: false })
  }

  remove(nodeID: NodeID): void {
    this.#peers.delete(nodeID)
  }

  /** Returns a node that is not busy, and marks it as busy; `undefined` if all are. */
  take(): NodeID | undefined {
    const free = [...this.#peers].filter(([, { isBusy }]) => !isBusy)
    const [nodeID, measured] = this.#best(free) ?? []
    if (measured) measured.isBusy = true
    return nodeID
  }

  /** Records an answer with this many bytes after this many milliseconds. */
  answered(nodeID: NodeID, bytes: number, milliseconds: number): void {
    const peer = this.#peers.get(nodeID)
    if (!peer) return
    const bandwidth = bytes / Math.max(1, milliseconds)
    peer.bandwidth = peer.bandwidth === undefined ? bandwidth : peer.bandwidth * (1 - NEW_WEIGHT) + bandwidth * NEW_WEIGHT
    peer.failures = 0
    peer.isBusy = false
  }

  /** A node did not answer, or answered with something false or useless. */
  failed(nodeID: NodeID): void {
    const peer = this.#peers.get(nodeID)
    if (!peer) return
    peer.bandwidth = (peer.bandwidth ?? 0) / 2
    peer.failures++
    peer.isBusy = false
  }

  #best(free: [NodeID, PeerMeasurements][]): [NodeID, PeerMeasurements] | undefined {
    const untried = free.filter(([, { bandwidth }]) => bandwidth === undefined)
    const tried = free.filter(([, { bandwidth }]) => bandwidth !== undefined)
    const fewest = Math.min(...tried.map(([, { failures }]) => failures))
    const healthy = tried.filter(([, { failures }]) => failures === fewest)
    const triesNew = fewest > 0 || this.#random.fraction() < UNTRIED_SHARE
    if (untried.length > 0 && triesNew) return untried[randomIndex(this.#random, untried.length)]
    if (this.#random.fraction() < RANDOM_SHARE) return healthy[randomIndex(this.#random, healthy.length)]
    return healthy.reduce<[NodeID, PeerMeasurements] | undefined>(
      (best, each) => (best && (best[1].bandwidth ?? 0) >= (each[1].bandwidth ?? 0) ? best : each),
      undefined,
    )
  }
}
