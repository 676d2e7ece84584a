import { join } from "node:path"
import type { RootDatabase } from "lmdb"
import type { AnyTable } from "../../core/state/table.js"
import { storeError } from "../errors.js"
import { DATA_FILE, prepareDirectory } from "./directory.js"
import { LmdbMeta } from "./lmdbMeta.js"
import type { LmdbStats, LmdbTable } from "./lmdbTable.js"
import { LatestView, LmdbView, type OpenTables, StateFirstRows } from "./lmdbView.js"
import { fileAt, type Lock } from "./lock.js"
import { type Environment, openRoot } from "./openRoot.js"
import type { DiskRoom } from "./room.js"
import { openPlaces } from "./tablePlaces.js"

/** An LMDB environment with the databases of a store. */
export interface OpenedLmdb {
  readonly root: RootDatabase
  readonly meta: LmdbMeta
  readonly tables: OpenTables
}

export interface WriteAccess {
  readonly lock: Lock
  readonly room: DiskRoom
  /** Releases the right to write. `isClean` is true if LMDB is closed and all writes have succeeded. */
  end(isClean?: boolean): void
}

/** The registration of this process at a store. */
export interface ProcessAccess {
  /** The right to write; `undefined` if the store was opened for reading only. */
  readonly writing: WriteAccess | undefined
  /** Ends the registration, after LMDB has been closed. */
  signOut(): void
}

export function openDatabases(root: RootDatabase, tables: readonly AnyTable[]): OpenedLmdb {
  const meta = new LmdbMeta(root)
  return { root, meta, tables: openPlaces(root, meta.get("secondPlaces"), tables) }
}

/**
 * The connection of a store to LMDB. It stays the same object while LMDB is closed and opened again, and while the rows of tables move to
 * other databases (see `loadRows`).
 */
export class LmdbConnection {
  readonly environment: Environment
  readonly writing: WriteAccess | undefined
  readonly latest: LatestView
  #opened: OpenedLmdb
  /** The places of the rows as last read. Another process may move them. */
  #places: string
  /** The number of the last commit that readers were seen to read. */
  #visible = -1
  /** The databases by the places of the rows. Older views continue to read theirs. */
  readonly #tablesByPlaces = new Map<string, OpenTables>()
  readonly #file: string | undefined
  readonly #signOut: () => void

  constructor(environment: Environment, opened: OpenedLmdb, { writing, signOut }: ProcessAccess) {
    this.environment = environment
    this.writing = writing
    this.#signOut = signOut
    this.#file = this.#fileNow()
    this.#opened = opened
    this.#places = opened.meta.get("secondPlaces") ?? ""
    this.#tablesByPlaces.set(this.#places, opened.tables)
    this.latest = new LatestView(opened.tables, writing !== undefined)
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

  /** Returns the number of the last commit that snapshots show, of this process or another. */
  lastTransaction(): number {
    const last = this.stats().lastTxnId
    if (this.writing || last === this.#visible) return last
    this.#visible = this.#visibleTransaction() ?? last
    return this.#visible
  }

  /**
   * Returns the number of the commit that a new snapshot shows; `undefined` if this process cannot register as a reader. Another process
   * writes the meta page of its commit first, waits for the disk, and then shows the commit to readers; until then LMDB returns a number
   * that is too high.
   */
  #visibleTransaction(): number | undefined {
    this.root.resetReadTxn()
    const transaction = this.root.useReadTransaction()
    try {
      return lastReadOf(process.pid, this.root.readerList())
    } finally {
      transaction.done()
    }
  }

  view(): LmdbView {
    this.requireOpen()
    if (this.writing) return new LmdbView(this.tables, { transaction: this.root.useReadTransaction() }, this.latest.firstRows)
    for (;;) {
      // LMDB's own view shows the moment of the first read in a turn of the event loop, and another process may have written since.
      this.root.resetReadTxn()
      const transaction = this.root.useReadTransaction()
      const places = this.meta.get("secondPlaces", { transaction }) ?? ""
      if (places === this.#places) return new LmdbView(this.tables, { transaction }, new StateFirstRows())
      transaction.done()
      this.movedTo(places)
    }
  }

  /** Records that the rows of some tables are in other databases from now on. */
  movedTo(places: string): void {
    const tables = this.#tablesByPlaces.get(places) ?? openPlaces(this.root, places, this.environment.tables)
    this.#show({ ...this.#opened, tables }, places)
  }

  /** Throws `store.replaced` if the files are no longer those that were opened. */
  checkPlace(): void {
    this.writing?.lock.check()
    if (this.#fileNow() !== this.#file) throw storeError("store.replaced", { dir: this.environment.dir })
  }

  #fileNow(): string | undefined {
    return fileAt(join(this.environment.dir, DATA_FILE))
  }

  /**
   * Opens LMDB again after it could not write. If it failed to write the page that ends a commit, it refuses everything, including reads.
   */
  reopen(): void {
    const { environment, root } = this
    // If LMDB could not be opened, lmdb 3.5.6 would end the process.
    prepareDirectory(environment.dir, { ...environment, mustExist: true })
    this.#forgetTables()
    void root.close()
    const opened = openDatabases(openRoot(environment), environment.tables)
    this.#show(opened, opened.meta.get("secondPlaces") ?? "")
  }

  #show(opened: OpenedLmdb, places: string): void {
    this.#opened = opened
    this.#places = places
    this.#tablesByPlaces.set(places, opened.tables)
    this.latest.moveTo(opened.tables)
  }

  /** `isClean` is true if all writes have succeeded. */
  async close(isClean: boolean): Promise<void> {
    const { root } = this
    this.#forgetTables()
    await root.close()
    this.#signOut()
    this.writing?.end(isClean)
  }

  /** Closes every view of this environment. */
  #forgetTables(): void {
    for (const tables of this.#tablesByPlaces.values()) tables.clear()
    this.#tablesByPlaces.clear()
  }
}

/** Returns the number of the latest commit that a process reads, from LMDB's table of readers; `undefined` if it reads none. */
function lastReadOf(pid: number, list: string): number | undefined {
  let last: number | undefined
  for (const line of list.split("\n")) {
    const [reader, , commit] = line.trim().split(/\s+/)
    if (Number(reader) === pid && commit !== "-") last = Math.max(last ?? 0, Number(commit))
  }
  return last
}
