import type { RootDatabase } from "lmdb"
import type { AnyTable } from "../core/state/table.js"
import type { Reserved } from "./addressSpace.js"
import type { LmdbStats } from "./commitSize.js"
import type { DiskRoom } from "./diskRoom.js"
import { storeError } from "./errors.js"
import type { LmdbMeta } from "./lmdbMeta.js"
import { lastReadOf, readerList } from "./lmdbReaders.js"
import { type LmdbTable, resetReads } from "./lmdbTable.js"
import { LatestView, LmdbView, type OpenTables } from "./lmdbView.js"
import type { Lock } from "./lock.js"

/** An LMDB environment with the databases of a store. */
export interface OpenedLmdb {
  readonly root: RootDatabase
  readonly meta: LmdbMeta
  readonly tables: OpenTables
}

/** Right of a process to write. */
export interface Writing {
  readonly lock: Lock
  readonly room: DiskRoom
  /** Lets the next process in. `isClean`: LMDB is closed, and all writes have succeeded. */
  end(isClean?: boolean): void
}

/** Parts of a connection. */
export interface ConnectionParts {
  readonly dir: string
  /** The bytes that the file may have. */
  readonly reserved: Reserved
  /** The right to write; none where the store was opened for reading only. */
  readonly writing: Writing | undefined
  /** Whether the data file is still the one that was opened. */
  isInPlace(): boolean
  /** Throws where LMDB could not be opened, which would end the process: lmdb 3.5.6 cannot survive that. */
  checkOpening(): void
  /** Opens LMDB, after it was closed. */
  open(): OpenedLmdb
  /** Opens the databases that hold the tables' rows, by what the small value `secondPlaces` says. */
  openTables(root: RootDatabase, places: string): OpenTables
}

/**
 * The connection of a store to LMDB, which is one object while LMDB may be closed and opened again, and while the rows of tables may move to
 * other databases (see `loadRows`).
 */
export class LmdbConnection {
  readonly parts: ConnectionParts
  readonly latest: LatestView
  #opened: OpenedLmdb
  /** Places of the rows as last read; another process may move them. */
  #places: string
  /** Number of the last commit that readers were seen to see. */
  #visible = -1
  /** Databases by the places of the rows; older views go on reading theirs. */
  readonly #tablesByPlaces = new Map<string, OpenTables>()

  constructor(parts: ConnectionParts, opened: OpenedLmdb) {
    this.parts = parts
    this.#opened = opened
    this.#places = opened.meta.get("secondPlaces") ?? ""
    this.#tablesByPlaces.set(this.#places, opened.tables)
    this.latest = new LatestView(opened.tables, parts.writing !== undefined)
  }

  get root(): RootDatabase {
    return this.#opened.root
  }

  get meta(): LmdbMeta {
    this.requireOpen()
    return this.#opened.meta
  }

  get tables(): OpenTables {
    return this.#opened.tables
  }

  get isOpen(): boolean {
    return this.tables.size > 0
  }

  requireOpen(): void {
    if (!this.isOpen) throw new Error("the store is closed")
  }

  table(table: AnyTable): LmdbTable {
    const opened = this.tables.get(table)
    if (!opened) throw new Error(`the store was not opened with the table ${table.name}`)
    return opened
  }

  stats(): LmdbStats {
    this.requireOpen()
    return this.root.getStats() as LmdbStats
  }

  /**
   * The number of the last commit in the file, of this process or another. It lies in memory that all of them share; `stats` would look at the
   * tables too, and take five times as long.
   */
  lastWritten(): number {
    this.requireOpen()
    return (this.root as RootDatabase & { readonly env: { info(): Pick<LmdbStats, "lastTxnId"> } }).env.info().lastTxnId
  }

  /** The number of the last commit that snapshots show, of this process or another. */
  lastTransaction(): number {
    const last = this.lastWritten()
    if (this.parts.writing || last === this.#visible) return last
    this.#visible = this.#visibleTransaction() ?? last
    return this.#visible
  }

  /**
   * The number of the commit that a new snapshot shows; undefined where this process cannot sign in as a reader. Another process writes the
   * meta page of its commit first, waits for the disk, and then shows the commit to readers: until then LMDB tells a number that is too high.
   */
  #visibleTransaction(): number | undefined {
    resetReads(this.root)
    const transaction = this.root.useReadTransaction()
    try {
      return lastReadOf(process.pid, readerList(this.root))
    } finally {
      transaction.done()
    }
  }

  /** The rows as they are now. */
  view(): LmdbView {
    this.requireOpen()
    if (this.parts.writing) return new LmdbView(this.tables, { transaction: this.root.useReadTransaction() })
    for (;;) {
      // LMDB's own shows the moment of the first read in a turn of the event loop, and another process may have written since.
      resetReads(this.root)
      const transaction = this.root.useReadTransaction()
      const places = this.meta.get("secondPlaces", { transaction }) ?? ""
      if (places === this.#places) return new LmdbView(this.tables, { transaction })
      transaction.done()
      this.movedTo(places)
    }
  }

  /** Notes that the rows of some tables lie in other databases from now on. */
  movedTo(places: string): void {
    const tables = this.#tablesByPlaces.get(places) ?? this.parts.openTables(this.root, places)
    this.#show({ ...this.#opened, tables }, places)
  }

  /** Throws `store.replaced` where the files are no longer those that were opened. */
  checkPlace(): void {
    const { dir, writing, isInPlace } = this.parts
    writing?.lock.check()
    if (!isInPlace()) throw storeError("store.replaced", { dir })
  }

  /** Opens LMDB anew after it could not write: where that was the page which ends a commit, it refuses everything, reads too. */
  reopen(): void {
    this.parts.checkOpening()
    const { root } = this
    this.#forgetTables()
    void root.close()
    const opened = this.parts.open()
    this.#show(opened, opened.meta.get("secondPlaces") ?? "")
  }

  #show(opened: OpenedLmdb, places: string): void {
    this.#opened = opened
    this.#places = places
    this.#tablesByPlaces.set(places, opened.tables)
    this.latest.moveTo(opened.tables)
  }

  /** `isClean`: whether all writes have succeeded. */
  async close(isClean: boolean): Promise<void> {
    const { root } = this
    this.#forgetTables()
    await root.close()
    this.parts.writing?.end(isClean)
    this.parts.reserved.giveBack()
  }

  /** Tells every view of this environment that it is closed. */
  #forgetTables(): void {
    for (const tables of this.#tablesByPlaces.values()) tables.clear()
    this.#tablesByPlaces.clear()
  }
}
