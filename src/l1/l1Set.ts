import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { Emitter } from "../core/lib/emitter.js"
import { type ID, idText } from "../core/types/id.js"
import { systemTimers } from "../node/timers.js"
import type { MetaChanges } from "../store/meta.js"
import { MarkRoom } from "../vmhost/database/revertibleDatabase.js"
import { vmError } from "../vmhost/errors.js"
import { StartTurns } from "../vmhost/startTurns.js"
import { type HostedL1s, type HostedParts, type L1HostOptions, openParts } from "./l1Parts.js"
import { hasOwnData, type L1Record, removeL1Data, removeRecord, writeRecord } from "./l1Record.js"

/** The maximum number of bytes that snapshots of L1s keep in memory. */
const MAX_KEPT = 2 ** 29

/** The L1s at the moments of the snapshots of the P-Chain. */
export class L1Moments {
  readonly #moments = new Map<number, readonly HostedParts[]>()
  /** The numbers of the snapshots whose rows took too much memory. */
  #lost: ReadonlySet<number> = new Set()
  /** The memory for the rows that the snapshots keep. */
  readonly room: MarkRoom

  /** `onLost` is called when the snapshots take more than this many bytes, and are lost. */
  constructor(onLost: () => void, maxKept = MAX_KEPT) {
    this.room = new MarkRoom(maxKept, () => {
      this.#lost = new Set(this.#moments.keys())
      for (const { database } of this.all) database.keepMarks([])
      onLost()
    })
  }

  get count(): number {
    return this.#moments.size
  }

  /** The L1s of all moments. One that was removed since is among them. */
  get all(): readonly HostedParts[] {
    return [...this.#moments.values()].flat()
  }

  /** Takes a snapshot of the P-Chain, and marks the same moment of these L1s, which are between two blocks. Throws `vm.own_data`. */
  async take<T extends { readonly id: number }>(l1s: readonly HostedParts[], take: () => Promise<T>): Promise<T> {
    for (const { record, dataDir } of l1s) if (hasOwnData(dataDir)) throw vmError("vm.own_data", { l1: record.name })
    const taken = await take()
    for (const { database } of l1s) database.mark(taken.id)
    this.#moments.set(taken.id, l1s)
    return taken
  }

  /**
   * Reverts the P-Chain, then ends all VMs with `end`, and puts the data of the L1s back. Returns the L1s of that moment. If the node is
   * killed meanwhile, the meta values of the P-Chain say whether the next start finishes the revert of the L1s. Throws `vm.snapshot_lost`.
   */
  async revert<T>(id: number, revert: (meta: MetaChanges) => Promise<T>, end: () => Promise<unknown>) {
    const l1s = this.#moments.get(id) ?? []
    if (l1s.length > 0 && this.#lost.has(id)) throw vmError("vm.snapshot_lost", { id })
    const name = randomUUID()
    let result: T
    try {
      for (const { database } of l1s) database.planRevert(id, name)
      result = await revert({ l1Revert: name })
    } catch (error) {
      for (const { database } of l1s) database.endRevert(undefined)
      throw error
    }
    await end()
    for (const { database } of l1s) {
      database.endRevert(name)
      database.rewindTo(id)
    }
    return { result, l1s }
  }

  keepOnly(ids: readonly number[]): void {
    const databases = new Set(this.all.map(({ database }) => database))
    for (const id of [...this.#moments.keys()]) if (!ids.includes(id)) this.#moments.delete(id)
    for (const database of databases) database.keepMarks(ids)
  }
}

/** The L1s of a node, now and at the moments of snapshots, and their records on the disk. */
export class L1Set implements HostedL1s {
  readonly #options: L1HostOptions
  readonly #onAccepted: (chainID: ID) => void
  readonly #hosted = new Map<ID, HostedParts>()
  readonly #changes = new Emitter<void>()
  readonly #starts = new StartTurns(systemTimers.after)
  readonly moments = new L1Moments(() => {
    this.#options.log.warn("the L1s have changed too much since the snapshots, which are lost", {
      limit: `${MAX_KEPT >> 20} MiB`,
    })
  })

  /** `onAccepted` is called after each block of an L1, and when its chain runs after a start. */
  constructor(options: L1HostOptions, onAccepted: (chainID: ID) => void) {
    this.#options = options
    this.#onAccepted = onAccepted
  }

  get hosted(): readonly HostedParts[] {
    return [...this.#hosted.values()]
  }

  onChange(listener: () => void): void {
    this.#changes.listen(listener)
  }

  get(chainID: ID): HostedParts | undefined {
    return this.#hosted.get(chainID)
  }

  /** Returns an L1 by its name or its ID. Throws `vm.unknown_l1`. */
  require(name: string): HostedParts {
    const found = this.hosted.find(({ record }) => record.name === name || idText(record.chainID) === name)
    if (!found) throw vmError("vm.unknown_l1", { name, present: this.hosted.map(({ record }) => record.name) })
    return found
  }

  /** Adds an L1 whose record is written. */
  open(record: L1Record): HostedParts {
    const onAccepted = () => this.#onAccepted(record.chainID)
    const named = () => this.hosted.map((each) => each.record)
    const parts = openParts(record, this.#options, { named, starts: this.#starts, room: this.moments.room, onAccepted })
    this.#hosted.set(record.chainID, parts)
    this.#changes.emit()
    return parts
  }

  add(record: L1Record): HostedParts {
    // A chain ID comes again if the same transactions follow a reset.
    if (this.#options.folder !== undefined) removeL1Data(this.#options.folder, record.chainID)
    this.#write(record)
    return this.open(record)
  }

  /** Notes whether an L1 is started with the node. Throws `vm.unknown_l1`. */
  mark(name: string, isStopped: boolean): HostedParts {
    const parts = this.require(name)
    const marked = { ...parts, record: { ...parts.record, isStopped } }
    this.#write(marked.record)
    this.#hosted.set(marked.record.chainID, marked)
    return marked
  }

  /** Replaces the L1s by those of another moment. The data of those that are in no moment any more is deleted. */
  async replace(l1s: readonly HostedParts[], snapshots = this.#options.privateChain.options.store.snapshots): Promise<void> {
    const { folder } = this.#options
    const before = [...this.hosted, ...this.moments.all]
    this.moments.keepOnly(snapshots)
    for (const { record } of l1s) if (this.#hosted.get(record.chainID)?.record !== record) this.#write(record)
    this.#hosted.clear()
    for (const parts of l1s) this.#hosted.set(parts.record.chainID, parts)
    const kept = new Set([...l1s, ...this.moments.all].map(({ database }) => database))
    for (const parts of new Map(before.map((each) => [each.database, each])).values()) {
      if (!kept.has(parts.database)) await this.#delete(parts)
      // A snapshot may need its data.
      else if (!this.#hosted.has(parts.record.chainID) && folder !== undefined) removeRecord(folder, parts.record.chainID)
    }
    this.#changes.emit()
  }

  /** Ends all plugins. The data of the L1s stays. */
  async close(): Promise<void> {
    await this.replace(this.hosted, [])
    await Promise.all(
      this.hosted.map(async ({ chain, database, dataDir }) => {
        await chain.stop("the node is stopping")
        await database.close()
        if (this.#options.folder === undefined) rmSync(dataDir, { recursive: true, force: true })
      }),
    )
    this.#hosted.clear()
  }

  #write(record: L1Record): void {
    if (this.#options.folder !== undefined) writeRecord(this.#options.folder, record)
  }

  async #delete({ record, database, dataDir }: HostedParts): Promise<void> {
    const { folder } = this.#options
    await database.close()
    if (folder === undefined) rmSync(dataDir, { recursive: true, force: true })
    else removeL1Data(folder, record.chainID)
  }
}
