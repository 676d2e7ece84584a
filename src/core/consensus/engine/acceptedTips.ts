import type { ID, NodeID } from "../../types/id.js"
import type { Stake } from "../snowman/stake.js"

/** A block that a node reported as its last accepted one. */
export interface AcceptedTip {
  readonly id: ID
  readonly height: bigint
}

/** The last accepted block that each node named. */
export class AcceptedTips {
  readonly #tips = new Map<NodeID, AcceptedTip>()

  set(nodeID: NodeID, tip: AcceptedTip): void {
    this.#tips.set(nodeID, tip)
  }

  of(nodeID: NodeID): AcceptedTip | undefined {
    return this.#tips.get(nodeID)
  }

  /** The height that validators with more than half of the stake report as accepted; `undefined` if too few have reported. */
  majorityHeight(stake: Stake): bigint | undefined {
    const highestFirst = [...this.#tips].sort(([, a], [, b]) => (a.height > b.height ? -1 : 1))
    let weight = 0n
    for (const [nodeID, { height }] of highestFirst) {
      weight += stake.weightOf(nodeID)
      if (weight * 2n > stake.total) return height
    }
    return undefined
  }
}
