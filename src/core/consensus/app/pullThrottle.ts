import type { NodeID } from "../../types/id.js"

const WINDOW_MS = 3_600_000
const PULLS_IN_WINDOW = 2400

/**
 * Returns the number of pulls per hour that one of `validators` connected validators can make: its share of 2400 plus four standard
 * deviations.
 */
export function pullLimit(validators: number): number {
  const n = Math.max(1, validators)
  return PULLS_IN_WINDOW / n + (4 * Math.sqrt(PULLS_IN_WINDOW * (n - 1))) / n
}

/** Counts the pulls of each validator within the last hour. */
export class PullThrottle {
  readonly #pulls = new Map<NodeID, number[]>()

  /** Returns whether a validator may pull now, and counts the pull if it may. There are never more stored times than the limit. */
  take(nodeID: NodeID, validators: number, now: number): boolean {
    const recent = (this.#pulls.get(nodeID) ?? []).filter((at) => now - at < WINDOW_MS)
    const mayPull = recent.length < pullLimit(validators)
    if (mayPull) recent.push(now)
    this.#pulls.set(nodeID, recent)
    return mayPull
  }
}
