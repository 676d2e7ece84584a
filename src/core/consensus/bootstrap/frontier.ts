import { type Random, sampleOf } from "../../p2p/random.js"
import type { Question } from "../../p2p/requests.js"
import type { ID, NodeID } from "../../types/id.js"
import { getAccepted, getAcceptedFrontier } from "../chainMessages.js"
import type { Stake } from "../snowman/stake.js"

const MAX_SAMPLE = 20

/**
 * Finds out which blocks the beacons accepted last: a sample of them names blocks, then all of them report which of these are accepted.
 * Blocks that beacons with more than half of the stake accepted are used.
 */
export class FrontierPoll {
  readonly #beacons: Stake
  readonly #candidates = new Set<ID>()
  readonly #votes = new Map<ID, bigint>()
  #waiting: Set<NodeID>
  #phase: "frontier" | "accepted" | "done" = "frontier"

  constructor(beacons: Stake, random: Random) {
    this.#beacons = beacons
    this.#waiting = new Set(sampleOf(random, beacons.nodes, MAX_SAMPLE))
  }

  /** Makes a poll that only asks which of these blocks are accepted. */
  static ofCandidates(beacons: Stake, candidates: readonly ID[], random: Random): FrontierPoll {
    const poll = new FrontierPoll(beacons, random)
    for (const id of candidates) poll.#candidates.add(id)
    poll.#askAll()
    return poll
  }

  get isDone(): boolean {
    return this.#phase === "done"
  }

  /** The blocks that a majority of the beacons accepted. It is valid after the poll has ended. */
  get accepted(): ID[] {
    return [...this.#votes].flatMap(([id, votes]) => (votes * 2n > this.#beacons.total ? [id] : []))
  }

  /** The beacons that have not answered in this phase. */
  get waiting(): NodeID[] {
    return [...this.#waiting]
  }

  /** The request of this phase to each of them. */
  get question(): Omit<Question<unknown>, "data"> {
    if (this.#phase === "frontier") return { answer: "acceptedFrontier", message: getAcceptedFrontier }
    const candidates = [...this.#candidates]
    return { answer: "accepted", message: (header) => getAccepted(header, candidates) }
  }

  /** Handles a beacon's answer: the blocks it names, or none if it did not answer. Returns true if a new phase begins. */
  answer(beacon: NodeID, ids: readonly ID[]): boolean {
    if (!this.#waiting.delete(beacon)) return false
    if (this.#phase === "frontier") for (const id of ids) this.#candidates.add(id)
    else for (const id of new Set(ids)) if (this.#candidates.has(id)) this.#vote(id, this.#beacons.weightOf(beacon))
    if (this.#waiting.size > 0) return false
    if (this.#phase === "frontier" && this.#candidates.size > 0) this.#askAll()
    else this.#phase = "done"
    return true
  }

  #vote(id: ID, weight: bigint): void {
    this.#votes.set(id, (this.#votes.get(id) ?? 0n) + weight)
  }

  #askAll(): void {
    this.#phase = "accepted"
    this.#waiting = new Set(this.#beacons.nodes)
  }
}
