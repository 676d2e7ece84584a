import { type Random, sampleOf } from "../../p2p/random.js"
import type { Question } from "../../p2p/requests.js"
import type { ID, NodeID } from "../../types/id.js"
import { getAccepted, getAcceptedFrontier } from "../chainMessages.js"

const MAX_SAMPLE = 20

/**
 * Finds out which blocks the beacons accepted last: a sample of them names blocks, then all of them report which of these are accepted.
 * Blocks that more than half of the beacons accepted are used.
 */
export class FrontierPoll {
  readonly #beacons: readonly NodeID[]
  readonly #candidates = new Set<ID>()
  readonly #votes = new Map<ID, number>()
  #waiting: Set<NodeID>
  #phase: "frontier" | "accepted" | "done" = "frontier"

  constructor(beacons: readonly NodeID[], random: Random) {
    this.#beacons = beacons
    this.#waiting = new Set(sampleOf(random, beacons, MAX_SAMPLE))
  }

  /** Makes a poll that only asks which of these blocks are accepted. */
  static ofCandidates(beacons: readonly NodeID[], candidates: readonly ID[], random: Random): FrontierPoll {
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
    const needed = Math.floor(this.#beacons.length / 2) + 1
    return [...this.#votes].flatMap(([id, votes]) => (votes >= needed ? [id] : []))
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
    else for (const id of new Set(ids)) if (this.#candidates.has(id)) this.#votes.set(id, (this.#votes.get(id) ?? 0) + 1)
    if (this.#waiting.size > 0) return false
    if (this.#phase === "frontier" && this.#candidates.size > 0) this.#askAll()
    else this.#phase = "done"
    return true
  }

  #askAll(): void {
    this.#phase = "accepted"
    this.#waiting = new Set(this.#beacons)
  }
}
