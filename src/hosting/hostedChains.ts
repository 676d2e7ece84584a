import { rmSync } from "node:fs"
import { Emitter } from "../core/lib/emitter.js"
import { tables } from "../core/state/tables.js"
import { type ID, idText } from "../core/types/id.js"
import { systemTimers } from "../node/timers.js"
import { vmError } from "../vmhost/errors.js"
import { StartTurns } from "../vmhost/startTurns.js"
import {
  type ChainRecord,
  emptyFolder,
  recordEdits,
  recordsIn,
  removalEdits,
  removeOtherFolders,
  sweepEdits,
  vmFolder,
} from "./chainRecord.js"
import { type ChainHostOptions, type ChainList, type HostedChain, openHostedChain } from "./hostedChain.js"
import { SnapshotRoom } from "./snapshotRoom.js"

/** The maximum number of bytes of L1s that snapshots keep in memory. */
const MAX_KEPT = 2 ** 29

/** The chains that a node hosts: those that have a record in the store of the P-Chain. */
export class HostedChains implements ChainList {
  readonly #options: ChainHostOptions
  readonly #onAccepted: (chainID: ID) => void
  readonly #hosted = new Map<ID, HostedChain>()
  readonly #changes = new Emitter<void>()
  readonly #starts = new StartTurns(systemTimers.after)
  #isClosed = false
  /** The memory for the old rows that snapshots keep. */
  readonly room = new SnapshotRoom(MAX_KEPT, () => {
    this.#options.privateChain.snapshots.dropAll()
    this.#options.log.warn("the L1s have changed too much since the snapshots, which are lost", {
      limit: `${MAX_KEPT >> 20} MiB`,
    })
  })

  /** `onAccepted` is called after each block of an L1, and when its chain runs after a start. */
  constructor(options: ChainHostOptions, onAccepted: (chainID: ID) => void) {
    this.#options = options
    this.#onAccepted = onAccepted
  }

  get hosted(): readonly HostedChain[] {
    return [...this.#hosted.values()]
  }

  onChange(listener: () => void): void {
    this.#changes.listen(listener)
  }

  get(chainID: ID): HostedChain | undefined {
    return this.#hosted.get(chainID)
  }

  /** Returns an L1 by its name or its ID. Throws `vm.unknown_l1`. */
  require(name: string): HostedChain {
    const found = this.hosted.find(({ record }) => record.name === name || idText(record.chainID) === name)
    if (!found) throw vmError("vm.unknown_l1", { name, present: this.hosted.map(({ record }) => record.name) })
    return found
  }

  add(record: ChainRecord): HostedChain {
    this.#options.privateChain.commitBeside(recordEdits(record))
    const { folder } = this.#options
    // A chain of the same ID may have been there before a reset.
    if (folder !== undefined) emptyFolder(vmFolder(folder, record.chainID))
    const hosted = this.#open(record)
    this.#changes.emit()
    return hosted
  }

  /** Notes whether an L1 is started with the node. Throws `vm.unknown_l1`. */
  mark(name: string, isStopped: boolean): HostedChain {
    const hosted = this.require(name)
    const marked = { ...hosted, record: { ...hosted.record, isStopped } }
    this.#options.privateChain.commitBeside(recordEdits(marked.record))
    this.#hosted.set(marked.record.chainID, marked)
    return marked
  }

  /** Removes an L1 whose chain has ended. */
  remove({ record }: HostedChain): void {
    this.#options.privateChain.commitBeside(removalEdits(record.chainID))
    this.update()
  }

  /** Makes the list that of the records in the store, which may be others since the last time. The chains have ended. */
  update(): void {
    const { privateChain, folder, log } = this.#options
    for (const { chainID, name } of this.#records()) {
      if (privateChain.status.view.get(tables.chains, chainID) !== undefined) continue
      log.info("the data of an L1 that the P-Chain does not have is removed", { l1: name })
      privateChain.commitBeside(removalEdits(chainID))
    }
    const records = this.#records()
    const left = new Map(this.#hosted)
    this.#hosted.clear()
    for (const record of records) {
      const known = left.get(record.chainID)
      left.delete(record.chainID)
      if (known) this.#hosted.set(record.chainID, { ...known, record })
      else this.#open(record)
    }
    for (const { dataDir } of left.values()) rmSync(dataDir, { recursive: true, force: true })
    if (folder !== undefined) {
      const l1s = removeOtherFolders(folder, records)
      if (l1s.length > 0) log.warn("L1s of an earlier version of Serac are not continued; their data stays", { folder, l1s })
    }
    this.#changes.emit()
    this.#sweep().catch((error) => this.#options.reportFault(error, "removal of the data of an L1"))
  }

  /** Ends all plugins. The data of the L1s stays. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(
      this.hosted.map(async ({ plugin, dataDir }) => {
        await plugin.stop("the node is stopping")
        if (this.#options.folder === undefined) rmSync(dataDir, { recursive: true, force: true })
      }),
    )
    this.#hosted.clear()
  }

  #records(): readonly ChainRecord[] {
    return recordsIn(this.#options.privateChain.options.store.latest)
  }

  #open(record: ChainRecord): HostedChain {
    const onAccepted = () => this.#onAccepted(record.chainID)
    const named = () => this.hosted.map((each) => each.record)
    const hosted = openHostedChain(record, this.#options, { named, starts: this.#starts, room: this.room, onAccepted })
    this.#hosted.set(record.chainID, hosted)
    return hosted
  }

  /** Deletes the rows of L1s that were removed, a part at a time. A snapshot may need them; then the next start deletes them. */
  async #sweep(): Promise<void> {
    const { privateChain } = this.#options
    const { store, timers } = privateChain.options
    for (;;) {
      const edits = this.#isClosed || store.snapshots.length > 0 || store.busy ? undefined : sweepEdits(store.latest)
      if (!edits) return
      privateChain.commitBeside(edits)
      await new Promise<void>((resolve) => timers.soon(resolve))
    }
  }
}
