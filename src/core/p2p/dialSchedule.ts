import type { NodeID } from "../types/id.js"
import type { PeerSettings } from "./peerSettings.js"
import type { Random } from "./random.js"

/** The minimum of the random part of the setting that is the longest delay between two dials of a node. */
const LEAST_PART_OF_MAX = 0.75
/** AvalancheGo refuses a second connection from one address within 10 seconds, except over loopback. */
const REDIAL_DELAY_MS = 10_000
const SECOND_MS = 1_000

interface DialState {
  readonly isDialing: boolean
  readonly nextAt: number
  readonly delay: number
}

/** Decides when each node is dialed: at once at first, then later after each failure, up to a longest delay. */
export class DialSchedule {
  readonly #random: Random
  readonly #settings: PeerSettings
  readonly #states = new Map<NodeID, DialState>()
  /** Times at which the nodes of the last second were dialed. */
  #recent: number[] = []

  constructor(settings: PeerSettings, random: Random) {
    this.#settings = settings
    this.#random = random
  }

  /** Returns whether a node may be dialed now; if so, it counts as being dialed. */
  begin(nodeID: NodeID, now: number): boolean {
    const state = this.#states.get(nodeID)
    if (state && (state.isDialing || now < state.nextAt)) return false
    if (!this.#mayDial(now)) return false
    this.#states.set(nodeID, { isDialing: true, nextAt: now, delay: state?.delay ?? this.#settings.firstRedialMs })
    return true
  }

  failed(nodeID: NodeID, now: number): void {
    const { firstRedialMs, maxRedialMs } = this.#settings
    const delay = this.#states.get(nodeID)?.delay ?? firstRedialMs
    const most = maxRedialMs * (LEAST_PART_OF_MAX + this.#random.fraction() * (1 - LEAST_PART_OF_MAX))
    const next = Math.min(most, delay * (1 + this.#random.fraction()))
    this.#states.set(nodeID, { isDialing: false, nextAt: now + delay, delay: next })
  }

  /** Called when a wanted node is connected, whichever side dialed. */
  connected(nodeID: NodeID): void {
    this.#states.set(nodeID, { isDialing: false, nextAt: 0, delay: this.#settings.firstRedialMs })
  }

  /**
   * Called when the connection to a wanted node has ended. Two nodes that dial each other at the same time refuse each other's connection, so
   * the delay has a random part.
   */
  disconnected(nodeID: NodeID, isLocal: boolean, now: number): void {
    const { firstRedialMs } = this.#settings
    const wait = (isLocal ? firstRedialMs : Math.max(firstRedialMs, REDIAL_DELAY_MS)) + this.#random.fraction() * firstRedialMs
    this.#states.set(nodeID, { isDialing: false, nextAt: now + wait, delay: firstRedialMs })
  }

  /** Forgets the nodes that are no longer wanted. */
  keepOnly(isWanted: (nodeID: NodeID) => boolean): void {
    for (const [nodeID, { isDialing }] of this.#states) if (!isDialing && !isWanted(nodeID)) this.#states.delete(nodeID)
  }

  /** Returns whether fewer nodes than allowed were dialed within the last second, and counts one more if so. */
  #mayDial(now: number): boolean {
    const { dialsPerSecond } = this.#settings
    if (dialsPerSecond === 0) return true
    this.#recent = this.#recent.filter((at) => at <= now && now - at < SECOND_MS)
    if (this.#recent.length >= dialsPerSecond) return false
    this.#recent.push(now)
    return true
  }
}
