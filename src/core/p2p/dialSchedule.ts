import type { NodeID } from "../types/id.js"
import type { Random } from "./random.js"

const FIRST_DELAY_MS = 1_000
const MIN_MAX_DELAY_MS = 45_000
const MAX_DELAY_SPREAD_MS = 15_000
/** AvalancheGo refuses a second connection from one address within 10 seconds, except over loopback. */
const REDIAL_DELAY_MS = 10_000
const MAX_DIALS_AT_ONCE = 50

interface DialState {
  readonly isDialing: boolean
  readonly nextAt: number
  readonly delay: number
}

/** When which node is dialed next: at once at first, then ever later after each failure, up to about a minute. */
export class DialSchedule {
  readonly #random: Random
  readonly #states = new Map<NodeID, DialState>()

  constructor(random: Random) {
    this.#random = random
  }

  /** Whether a node may be dialed now; if so, it counts as being dialed. */
  begin(nodeID: NodeID, now: number): boolean {
    const state = this.#states.get(nodeID)
    if (state && (state.isDialing || now < state.nextAt)) return false
    if (!state && this.#dialing() >= MAX_DIALS_AT_ONCE) return false
    this.#states.set(nodeID, { isDialing: true, nextAt: now, delay: state?.delay ?? FIRST_DELAY_MS })
    return true
  }

  failed(nodeID: NodeID, now: number): void {
    const delay = this.#states.get(nodeID)?.delay ?? FIRST_DELAY_MS
    const most = MIN_MAX_DELAY_MS + this.#random.fraction() * MAX_DELAY_SPREAD_MS
    const next = Math.min(most, delay * (1 + this.#random.fraction()))
    this.#states.set(nodeID, { isDialing: false, nextAt: now + delay, delay: next })
  }

  /** The node is connected, whoever dialed. */
  connected(nodeID: NodeID): void {
    this.#states.set(nodeID, { isDialing: false, nextAt: 0, delay: FIRST_DELAY_MS })
  }

  disconnected(nodeID: NodeID, isLocal: boolean, now: number): void {
    const wait = isLocal ? FIRST_DELAY_MS : REDIAL_DELAY_MS
    this.#states.set(nodeID, { isDialing: false, nextAt: now + wait, delay: FIRST_DELAY_MS })
  }

  /** Forgets the nodes that nobody wants any more. */
  keepOnly(isWanted: (nodeID: NodeID) => boolean): void {
    for (const [nodeID, { isDialing }] of this.#states) if (!isDialing && !isWanted(nodeID)) this.#states.delete(nodeID)
  }

  #dialing(): number {
    let count = 0
    for (const { isDialing } of this.#states.values()) if (isDialing) count++
    return count
  }
}
