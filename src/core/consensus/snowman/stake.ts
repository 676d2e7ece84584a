import type { Random } from "../../p2p/random.js"
import type { NodeID } from "../../types/id.js"

export class Stake {
  readonly nodes: readonly NodeID[]
  /** Sums of the weights up to and including each node. */
  readonly #ends: readonly bigint[]
  readonly #weights: ReadonlyMap<NodeID, bigint>

  constructor(weights: ReadonlyMap<NodeID, bigint>) {
    this.#weights = weights
    this.nodes = [...weights.keys()].sort()
    let sum = 0n
    this.#ends = this.nodes.map((nodeID) => {
      sum += weights.get(nodeID) as bigint
      return sum
    })
  }

  get total(): bigint {
    return this.#ends.at(-1) ?? 0n
  }

  weightOf(nodeID: NodeID): bigint {
    return this.#weights.get(nodeID) ?? 0n
  }

  /** The share of all stake that a node has, 0 to 1. */
  shareOf(nodeID: NodeID): number {
    return this.total === 0n ? 0 : Number(this.weightOf(nodeID)) / Number(this.total)
  }

  weightOfAll(nodeIDs: Iterable<NodeID>): bigint {
    let sum = 0n
    for (const nodeID of nodeIDs) sum += this.weightOf(nodeID)
    return sum
  }

  /** Draws `count` different units of stake; a node has as many votes as units of its stake were drawn. */
  sample(count: number, random: Random): Map<NodeID, number> {
    const units = new Set<bigint>()
    const wanted = this.total < BigInt(count) ? Number(this.total) : count
    while (units.size < wanted) units.add(below(this.total, random))
    const drawn = new Map<NodeID, number>()
    for (const unit of units) {
      const nodeID = this.nodes[this.#indexOf(unit)] as NodeID
      drawn.set(nodeID, (drawn.get(nodeID) ?? 0) + 1)
    }
    return drawn
  }

  /** Returns the first node whose sum is above a unit. */
  #indexOf(unit: bigint): number {
    let low = 0
    let high = this.#ends.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ends[middle] as bigint) > unit) high = middle
      else low = middle + 1
    }
    return low
  }
}

const RANGE = 1n << 64n

/** A number below a limit, each equally likely. */
function below(limit: bigint, random: Random): bigint {
  const fair = RANGE - (RANGE % limit)
  for (;;) {
    const bytes = random.bytes(8)
    const value = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
    if (value < fair) return value % limit
  }
}
