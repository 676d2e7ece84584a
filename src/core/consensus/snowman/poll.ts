import type { ID, NodeID } from "../../types/id.js"
import type { SnowParameters } from "./parameters.js"
import { sum, type Votes } from "./snowflakeTree.js"
import type { Snowman } from "./snowman.js"

/** One poll: the drawn nodes, with as many votes as units of their stake were drawn. */
export class Poll {
  readonly #parameters: SnowParameters
  readonly #waiting: Map<NodeID, number>
  readonly votes = new Map<ID, number>()
  #missing: number

  constructor(parameters: SnowParameters, sample: ReadonlyMap<NodeID, number>) {
    this.#parameters = parameters
    this.#waiting = new Map(sample)
    this.#missing = sum(sample)
  }

  /** Takes the vote of a node that was drawn; `undefined` drops it. */
  vote(nodeID: NodeID, id: ID | undefined): void {
    const count = this.#waiting.get(nodeID)
    if (count === undefined) return
    this.#waiting.delete(nodeID)
    this.#missing -= count
    if (id !== undefined) this.votes.set(id, (this.votes.get(id) ?? 0) + count)
  }

  /** Returns whether all votes have arrived, or the missing votes cannot change the result for any block. */
  isFinished(blocks: Snowman): boolean {
    if (this.#waiting.size === 0) return true
    const { alphaPreference, alphaConfidence } = this.#parameters
    const missing = this.#missing
    // This many missing votes may still decide for any block.
    if (missing >= alphaPreference) return false
    if (sum(this.votes) + missing < alphaPreference) return true
    if (this.votes.size === 0) return false
    const all = this.#withDescendants(blocks)
    return [...all].every(([id, votes]) => {
      if (votes >= alphaConfidence) return true
      // Rivals also vote on the bits that their IDs share: only a winner, or too few votes for all of them, ends that.
      const rivals = blocks.rivalsOf(id)
      if (rivals.length > 0) {
        const others = new Map(rivals.map((rival) => [rival, all.get(rival) ?? 0]))
        const hasWinner = [...others.values()].some((count) => count >= alphaConfidence)
        return hasWinner || votes + sum(others) + missing < alphaPreference
      }
      return votes + missing < alphaPreference || (votes >= alphaPreference && votes + missing < alphaConfidence)
    })
  }

  /** Votes by block, those of its descendants included. */
  #withDescendants(blocks: Snowman): Map<ID, number> {
    const all = new Map<ID, number>()
    for (const [id, count] of this.votes) {
      for (let at: ID | undefined = id; at !== undefined; at = blocks.undecidedParentOf(at))
        all.set(at, (all.get(at) ?? 0) + count)
    }
    return all
  }
}

/** The polls that are under way. Their results are taken in the order in which they were started. */
export class Polls {
  readonly #polls = new Map<number, Poll>()
  #started = 0

  get count(): number {
    return this.#polls.size
  }

  /** Number of all polls so far, those under way included. */
  get started(): number {
    return this.#started
  }

  start(requestID: number, poll: Poll): void {
    this.#started++
    this.#polls.set(requestID, poll)
  }

  vote(requestID: number, nodeID: NodeID, id: ID | undefined): void {
    this.#polls.get(requestID)?.vote(nodeID, id)
  }

  /** Ends the oldest poll if it is finished, and returns its votes. A finished poll waits for older ones. */
  takeFinished(blocks: Snowman): Votes | undefined {
    const [oldest] = this.#polls
    if (!oldest?.[1].isFinished(blocks)) return undefined
    this.#polls.delete(oldest[0])
    return oldest[1].votes
  }
}
