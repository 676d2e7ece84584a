import type { ID, NodeID } from "../../types/id.js"

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
