import type { ID, NodeID } from "../../types/id.js"
import type { Stake } from "../snowman/stake.js"

/** The answer of a node to a poll. */
export interface Vote {
  /** The number of the poll. */
  readonly requestID: number
  readonly nodeID: NodeID
  /** The blocks that the vote is for; the first that is in the tree counts. */
  readonly ids: readonly ID[]
}

/** The votes for blocks that are still being fetched or verified. */
export class WaitingVotes {
  readonly #votes = new Map<Vote, Set<ID>>()

  /** Stores a vote until all of these blocks are resolved. */
  add(vote: Vote, pending: Iterable<ID>): void {
    this.#votes.set(vote, new Set(pending))
  }

  /** Handles a block that was issued, or will not be. Returns the votes that are complete now. */
  resolved(id: ID): Vote[] {
    const ready: Vote[] = []
    for (const [vote, pending] of [...this.#votes]) {
      if (!pending.delete(id) || pending.size > 0) continue
      this.#votes.delete(vote)
      ready.push(vote)
    }
    return ready
  }
}

/** A block that a node reported as its last accepted one. */
export interface AcceptedTip {
  readonly id: ID
  readonly height: bigint
}

/** Returns the height that nodes with more than half of a total stake report as accepted; `undefined` if too few of them have reported. */
export function majorityHeight(
  tips: ReadonlyMap<NodeID, AcceptedTip>,
  stake: Stake,
  { nodes, total }: Pick<Stake, "nodes" | "total"> = stake,
): bigint | undefined {
  const reported = nodes.flatMap((nodeID) => {
    const tip = tips.get(nodeID)
    return tip ? [{ nodeID, height: tip.height }] : []
  })
  let weight = 0n
  for (const { nodeID, height } of reported.sort((a, b) => (a.height > b.height ? -1 : 1))) {
    weight += stake.weightOf(nodeID)
    if (weight * 2n > total) return height
  }
  return undefined
}
