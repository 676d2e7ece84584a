import { type Uptime, UptimeTracker } from "../../core/chain/uptime.js"
import { Diff } from "../../core/state/diff.js"
import { tables } from "../../core/state/tables.js"
import { valuesOf } from "../../core/state/view.js"
import { type NodeID, PRIMARY_NETWORK_ID } from "../../core/types/id.js"
import { type UptimeRow, uptimes } from "../../datadir/nodeTables.js"
import { isStoreFailure } from "../../store/errors.js"
import type { Store } from "../../store/store.js"

/** Interval at which uptimes are written, milliseconds. */
const WRITE_INTERVAL_MS = 60_000

/**
 * Measures how long each validator of the primary network was connected, and stores it across restarts. While this node was not running,
 * and until it follows the chain, every validator counts as online. Times are Unix seconds.
 */
export class PeerUptimes {
  readonly #store: Store
  readonly #tracker: UptimeTracker
  readonly #unwritten = new Map<NodeID, UptimeRow>()
  #nextWrite = 0

  constructor(store: Store, ownNodeID: NodeID, now: bigint) {
    this.#store = store
    this.#tracker = new UptimeTracker({
      get: (nodeID) => this.#get(nodeID),
      put: (nodeID, uptime) => this.#put(nodeID, uptime),
    })
    this.#tracker.connect(ownNodeID, now)
  }

  connected(nodeID: NodeID, now: bigint): void {
    this.#tracker.connect(nodeID, now)
  }

  disconnected(nodeID: NodeID, now: bigint): void {
    this.#tracker.disconnect(nodeID, now)
  }

  /** Starts to measure, because the chain is followed from now on. */
  startTracking(now: bigint): void {
    if (!this.#tracker.isTracking) this.#tracker.startTracking(this.#validators(), now)
  }

  /** Writes the uptimes, because the node stops. */
  stop(now: bigint): void {
    if (this.#tracker.isTracking) this.#tracker.stopTracking(this.#validators(), now)
    this.#write()
  }

  /** Writes the uptimes if that is due. `steadyNow` is milliseconds of a clock that cannot be set. */
  tick(steadyNow: number): void {
    if (steadyNow < this.#nextWrite) return
    this.#nextWrite = steadyNow + WRITE_INTERVAL_MS
    this.#write()
  }

  /** Returns whether a node is connected, and for which share of its time as a validator it was, 0 to 1; 0 if it is none. */
  of(nodeID: NodeID, now: bigint): { readonly connected: boolean; readonly uptime: number } {
    const startTime = this.#startTimeOf(nodeID)
    const uptime = startTime === undefined ? undefined : this.#tracker.getUptimeShare(nodeID, startTime, now)
    return { connected: this.#tracker.isConnected(nodeID), uptime: uptime ?? 0 }
  }

  /** Each validation starts with a new row, also that of a renewed validator. */
  #get(nodeID: NodeID): Uptime | undefined {
    const startTime = this.#startTimeOf(nodeID)
    if (startTime === undefined) return undefined
    const row = this.#unwritten.get(nodeID) ?? this.#store.latest.get(uptimes, nodeID)
    return row?.startTime === startTime ? row : { upDuration: 0n, lastUpdated: startTime }
  }

  #put(nodeID: NodeID, uptime: Uptime): void {
    const startTime = this.#startTimeOf(nodeID)
    if (startTime !== undefined) this.#unwritten.set(nodeID, { ...uptime, startTime })
  }

  #write(): void {
    if (this.#unwritten.size === 0) return
    const diff = new Diff(this.#store.latest)
    for (const [nodeID, row] of this.#unwritten) diff.put(uptimes, nodeID, row)
    try {
      this.#store.commit(diff.edits)
      this.#unwritten.clear()
    } catch (error) {
      // A failed write is tried again next time, because time that is not written counts as online.
      if (!isStoreFailure(error)) throw error
    }
  }

  #startTimeOf(nodeID: NodeID): bigint | undefined {
    return this.#store.latest.get(tables.currentValidators, { subnetID: PRIMARY_NETWORK_ID, nodeID })?.startTime
  }

  #validators(): NodeID[] {
    const rows = this.#store.latest.rows(tables.currentValidators, { under: { subnetID: PRIMARY_NETWORK_ID } })
    return [...valuesOf(rows)].map(({ nodeID }) => nodeID)
  }
}
