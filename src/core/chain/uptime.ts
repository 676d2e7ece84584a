import { SECOND } from "../lib/go/goDuration.js"
import type { NodeID } from "../types/id.js"

/** Time in seconds for which this node saw a validator online. */
export interface Uptime {
  readonly upDuration: bigint
  /** Unix seconds of the local clock. */
  readonly lastUpdated: bigint
}

/** Storage of uptimes. A row exists for each current primary network validator; a new validator has (0, its start time). */
export interface UptimeRecords {
  get(nodeID: NodeID): Uptime | undefined
  put(nodeID: NodeID, uptime: Uptime): void
}

/** Tracks which validators are connected and updates the stored uptimes. Times are Unix seconds of the local clock. */
export class UptimeTracker {
  readonly #records: UptimeRecords
  readonly #connectedAt = new Map<NodeID, bigint>()
  #isTracking = false

  constructor(records: UptimeRecords) {
    this.#records = records
  }

  get isTracking(): boolean {
    return this.#isTracking
  }

  isConnected(nodeID: NodeID): boolean {
    return this.#connectedAt.has(nodeID)
  }

  /** Starts tracking after bootstrapping. Until now these validators count as online; from now on connections decide. */
  startTracking(nodeIDs: Iterable<NodeID>, now: bigint): void {
    if (this.#isTracking) throw new Error("uptimes are tracked already")
    for (const nodeID of nodeIDs) this.#update(nodeID, now)
    this.#isTracking = true
  }

  /** Stops tracking because the node stops. The uptimes are stored, and the time until the next start counts as online. */
  stopTracking(nodeIDs: Iterable<NodeID>, now: bigint): void {
    if (!this.#isTracking) throw new Error("uptimes are not tracked")
    for (const nodeID of nodeIDs) this.#update(nodeID, now)
    this.#isTracking = false
  }

  /** Called when a peer's handshake has finished, or when it is no longer benched. */
  connect(nodeID: NodeID, now: bigint): void {
    this.#connectedAt.set(nodeID, now)
  }

  /** Called when the connection has ended, or when the peer was benched. */
  disconnect(nodeID: NodeID, now: bigint): void {
    if (this.#isTracking) this.#update(nodeID, now)
    this.#connectedAt.delete(nodeID)
  }

  /** Returns the present uptime; `undefined` if the node is not a current validator. */
  getUptime(nodeID: NodeID, now: bigint): Uptime | undefined {
    const stored = this.#records.get(nodeID)
    // If the clock was set back, nothing is added or subtracted.
    if (stored === undefined || now < stored.lastUpdated) return stored
    const since = this.#onlineSince(nodeID, stored)
    const online = since === undefined || now < since ? 0n : now - since
    return { upDuration: stored.upDuration + online, lastUpdated: now }
  }

  /**
   * Returns the share of the time since `start` that the node was online; 1 if no time has passed, `undefined` for other nodes than
   * validators.
   */
  getUptimeShare(nodeID: NodeID, start: bigint, now: bigint): number | undefined {
    const uptime = this.getUptime(nodeID, now)
    if (uptime === undefined) return undefined
    const possible = uptime.lastUpdated - start
    // AvalancheGo divides nanoseconds. Over months the last bit depends on it.
    return possible === 0n ? 1 : Number(uptime.upDuration * SECOND) / Number(possible * SECOND)
  }

  /** Returns the time from which on the node counts as online; `undefined` if it does not. */
  #onlineSince(nodeID: NodeID, stored: Uptime): bigint | undefined {
    if (!this.#isTracking) return stored.lastUpdated
    const connectedAt = this.#connectedAt.get(nodeID)
    return connectedAt !== undefined && connectedAt < stored.lastUpdated ? stored.lastUpdated : connectedAt
  }

  #update(nodeID: NodeID, now: bigint): void {
    const uptime = this.getUptime(nodeID, now)
    if (uptime !== undefined) this.#records.put(nodeID, uptime)
  }
}
