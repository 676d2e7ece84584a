import type { NodeID } from "../../types/id.js"

/** Time for which the votes of a node that withheld a block are not waited for, milliseconds. */
const MEMORY_MS = 30_000

/**
 * Remembers the nodes that named a block and did not deliver it. A vote for an unknown block waits for the block, and polls end in the
 * order in which they began, so without this memory a node that names unknown blocks could delay every poll for a whole timeout.
 */
export class Withholders {
  readonly #until = new Map<NodeID, number>()

  /** Records that a node did not deliver a block. Times are Unix milliseconds. */
  add(nodeID: NodeID, now: number): void {
    this.#until.set(nodeID, now + MEMORY_MS)
  }

  has(nodeID: NodeID, now: number): boolean {
    const until = this.#until.get(nodeID)
    if (until === undefined || now < until) return until !== undefined
    this.#until.delete(nodeID)
    return false
  }
}
