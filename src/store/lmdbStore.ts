import type { RootDatabase } from "lmdb"
import { Invalid } from "../core/lib/invalid.js"
import type { AnyTable } from "../core/state/table.js"
import type { Edit, Edits, IndexedView } from "../core/state/view.js"
import type { Reserved } from "./addressSpace.js"
import { type BackupOptions, writeBackup } from "./backup.js"
import { CommitSize, type LmdbStats } from "./commitSize.js"
import { checkPagesOf, type Depth } from "./dataFile.js"
import type { DiskRoom } from "./diskRoom.js"
import { isFinalFailure, isStoreFailure, storeError } from "./errors.js"
import { indexEdits, tablesOf } from "./indexes.js"
import { lmdbFailure } from "./lmdbFailure.js"
import type { LmdbMeta } from "./lmdbMeta.js"
import type { LmdbTable } from "./lmdbTable.js"
import { LatestView, LmdbView, type OpenTables } from "./lmdbView.js"
import type { Lock } from "./lock.js"
import { longTransaction } from "./longTransaction.js"
import type { Meta, MetaChanges } from "./meta.js"
import type { OnPage } from "./pageWalk.js"
import type { CommitOptions, LoadOptions, Statistics, Store } from "./store.js"
import { Undo } from "./undo.js"
import type { OnPart } from "./upgrade.js"

const ROW_BYTES = 4 * 4096
const PART_ROWS = 1000
/** Largest number of bytes that LMDB can write at once. */
const HUGE = 2 ** 29

/** What an opened store is made of. */
export interface LmdbParts {
  readonly dir: string
  readonly root: RootDatabase
  readonly tables: OpenTables
  readonly tablesBesideChain: ReadonlySet<AnyTable>
  readonly meta: LmdbMeta
  /** The bytes that the file may have. */
  readonly reserved: Reserved
  /** The right to write; none where the store was opened for reading only. */
  readonly writing: Writing | undefined
  /** Whether the data file is still the one that was opened. */
  isInPlace(): boolean
  /** Throws where LMDB could not be opened, which would end the process: lmdb 3.5.6 cannot survive that. */
  checkOpening(): void
  /** Opens LMDB anew, after it was closed. */
  reopen(): Pick<LmdbParts, "root" | "tables" | "meta">
}

/** What a process that writes holds. */
export interface Writing {
  readonly lock: Lock
  readonly room: DiskRoom
  /** Lets the next process in. */
  end(): void
}

/** A store on the disk, in LMDB: each commit is one transaction, and durable when `commit` returns. */
export class LmdbStore implements Store {
  #parts: LmdbParts
  readonly #latest: LatestView
  readonly #undo: Undo
  /** Bytes that commits may still add before the size has to be looked at again. */
  #room = 0
  /** Why the last commit failed; none once one has succeeded. What was committed can be read meanwhile. */
  #failure: Error | undefined
  /** Whether LMDB has to be opened anew before the next commit. */
  #needsReopening = false
  /** The rows that are being loaded. */
  #loading: Promise<void> | undefined

  constructor(parts: LmdbParts) {
    this.#parts = parts
    this.#latest = new LatestView(parts.tables, parts.writing !== undefined)
    this.#undo = new Undo((table) => parts.tablesBesideChain.has(table))
  }

  get latest(): IndexedView {
    return this.#latest
  }

  get failure(): Error | undefined {
    const { dir, writing, isInPlace } = this.#parts
    try {
      writing?.lock.check()
      if (!isInPlace()) throw storeError("store.replaced", { dir })
    } catch (error) {
      this.#failure = error as Error
    }
    return this.#failure
  }

  version(): number {
    this.#requireOpen()
    return this.#stats().lastTxnId
  }

  view(): LmdbView {
    this.#requireOpen()
    const { root, writing, tables } = this.#parts
    // LMDB's own shows the moment of the first read in a turn of the event loop, and another process may have written since.
    if (!writing) (root as RootDatabase & { resetReadTxn(): void }).resetReadTxn()
    return new LmdbView(tables, { transaction: root.useReadTransaction() })
  }

  commit(edits: Edits, { meta = {}, replaceAll = false, clearTables = [] }: CommitOptions = {}): void {
    const gone = replaceAll
      ? [...this.#parts.tables.keys()].filter((table) => !this.#parts.tablesBesideChain.has(table))
      : clearTables
    const before = gone.length > 0 ? new Map() : this.#undo.captureBefore(edits, this.#oldValue)
    this.#write(edits, meta, new Set(gone))
    if (gone.length > 0) this.#undo.clear()
    else this.#undo.record(before)
  }

  async load(parts: AsyncIterable<Edits>, options: LoadOptions = {}): Promise<void> {
    const writing = this.#requireWriting()
    const view = this.view()
    // Walks need a transaction of their own until this one has ended.
    this.#latest.show(this.#parts.tables, view.options)
    const growth = new CommitSize()
    let isWriting = false
    const check = () => {
      writing.lock.check()
      writing.room.require(growth.most, () => growth.exactly(this.#stats()))
      isWriting = true
    }
    this.#loading = longTransaction(this.#parts.root, this.#loadingSteps(parts, options, growth, check))
    try {
      await this.#loading
      this.#failure = undefined
      this.#undo.clear()
    } catch (error) {
      throw error instanceof Invalid && !isStoreFailure(error) ? error : this.#failed(error, growth, isWriting)
    } finally {
      this.#loading = undefined
      view.release()
      this.#latest.moveTo(this.#parts.tables)
    }
  }

  async *#loadingSteps(
    parts: AsyncIterable<Edits>,
    { keeps = [], meta = () => ({}) }: LoadOptions,
    growth: CommitSize,
    check: () => void,
  ): AsyncGenerator<() => void, void> {
    const kept = new Set(tablesOf({ tablesBesideChain: keeps }))
    yield () => {
      for (const [table, opened] of this.#parts.tables) if (!kept.has(table)) opened?.clear()
    }
    for await (const edits of parts) {
      const indexes = indexEdits(edits, () => undefined)
      yield () => {
        for (const [table, rows] of [...edits, ...indexes]) this.#writeRows(this.#opened(table), rows, growth)
      }
    }
    yield () => {
      this.#parts.meta.put(meta())
      check()
    }
  }

  getMeta<N extends keyof Meta>(name: N): Meta[N] | undefined {
    this.#requireOpen()
    return this.#parts.meta.get(name)
  }

  putMeta(changes: MetaChanges): void {
    this.#write(new Map(), changes)
  }

  snapshot(): number {
    return this.#undo.mark()
  }

  revert(snapshot: number, meta: MetaChanges = {}): void {
    this.#write(this.#undo.editsTo(snapshot), meta)
    this.#undo.rewindTo(snapshot)
  }

  dropSnapshot(snapshot: number): void {
    this.#undo.drop(snapshot)
  }

  get snapshots(): readonly number[] {
    return this.#undo.marks
  }

  statistics(): Statistics {
    this.#requireOpen()
    const rows = [...this.#parts.tables].map(([{ name }, table]) => [name, table?.size ?? 0] as const)
    return { bytes: this.#bytes(), rows: Object.fromEntries(rows) }
  }

  async backup(dir: string, options: BackupOptions = {}): Promise<void> {
    this.#requireOpen()
    await writeBackup(dir, (part) => this.#parts.root.backup(part, true), options)
  }

  checkPages(onPage?: OnPage, depth: Depth = "whole"): void {
    for (;;) {
      const version = this.version()
      // While somebody reads this moment, none of its pages is written over.
      const view = this.view()
      try {
        if (this.version() === version && checkPagesOf(this.#parts.dir, BigInt(version), depth, onPage)) return
      } finally {
        view.release()
      }
    }
  }

  rebuildIndexes(onPart: OnPart = () => {}): void {
    const indexed = [...this.#parts.tables.keys()].filter(({ indexes }) => indexes.length > 0)
    this.#write(new Map(), { repair: "indexes" }, new Set(indexed.flatMap(({ indexes }) => indexes.map(({ table }) => table))))
    for (const table of indexed) {
      const keys = this.#opened(table).keys()
      for (let from = 0; from < keys.length; from += PART_ROWS) {
        const part = keys.slice(from, from + PART_ROWS)
        const rows = new Map(part.map((text) => [text, { value: this.#oldValue(table, text), isNew: true }]))
        this.#write(indexEdits(new Map([[table, rows]]), this.#oldValue), {})
        onPart(Math.min(from + PART_ROWS, keys.length), keys.length)
      }
    }
    this.#write(new Map(), { repair: undefined })
  }

  async close(): Promise<void> {
    if (this.#parts.tables.size === 0) return
    await this.#loading?.catch(() => {})
    const { root, writing, reserved } = this.#parts
    this.#parts.tables.clear()
    await root.close()
    writing?.end()
    reserved.giveBack()
  }

  readonly #oldValue = (table: AnyTable, text: string): unknown => this.#latest.at(table, text)

  #write(edits: Edits, meta: MetaChanges, emptied: ReadonlySet<AnyTable> = new Set()): void {
    const writing = this.#requireWriting()
    const indexes = indexEdits(edits, (table, text) => (emptied.has(table) ? undefined : this.#oldValue(table, text)))
    const changes = [...edits, ...indexes].map(([table, rows]) => [this.#opened(table), rows] as const)
    if (changes.length + emptied.size + Object.keys(meta).length === 0) return
    const growth = new CommitSize()
    let isWriting = false
    try {
      this.#parts.root.transactionSync(() => {
        writing.lock.check()
        for (const table of emptied) this.#parts.tables.get(table)?.clear()
        for (const [opened, rows] of changes) this.#writeRows(opened, rows, growth)
        this.#parts.meta.put(meta)
        writing.room.require(growth.most, () => growth.exactly(this.#stats()))
        isWriting = true
      })
      this.#failure = undefined
    } catch (error) {
      throw this.#failed(error, growth, isWriting)
    } finally {
      this.#latest.changed([...emptied, ...changes.map(([{ table }]) => table)])
    }
  }

  /** Notes why a commit failed; `isWriting`: LMDB had begun to write it. */
  #failed(error: unknown, growth: CommitSize, isWriting: boolean): Error {
    const failure = lmdbFailure(error, this.#parts.dir, growth.most > HUGE) as Error
    this.#failure = failure
    if (!isWriting || isFinalFailure(failure)) return failure
    this.#needsReopening = true
    try {
      this.#reopen()
    } catch {
      // The disk fails still: it is tried again before the next commit.
    }
    return failure
  }

  /** The right to write. Throws `store.busy`, and what no commit succeeds after. */
  #requireWriting(): Writing {
    this.#requireOpen()
    const { writing, dir } = this.#parts
    if (!writing) throw new Error("the store was opened for reading only")
    if (isFinalFailure(this.#failure)) throw this.#failure
    if (this.#loading) throw storeError("store.busy", { dir })
    if (this.#needsReopening) this.#reopen()
    return writing
  }

  /** Opens LMDB anew after it could not write: where that was the page which ends a commit, it refuses everything, reads too. */
  #reopen(): void {
    const { root, tables } = this.#parts
    this.#parts.checkOpening()
    // Whoever still holds a moment of it is told that it is closed.
    tables.clear()
    void root.close()
    this.#parts = { ...this.#parts, ...this.#parts.reopen() }
    this.#latest.moveTo(this.#parts.tables)
    this.#needsReopening = false
  }

  #opened(table: AnyTable): LmdbTable {
    const opened = this.#parts.tables.get(table)
    if (!opened) throw new Error(`the store was not opened with the table ${table.name}`)
    return opened
  }

  /**
   * In the order of the keys: rows that are neighbours then share the work on their page. Many rows go in parts, each a
   * transaction within the transaction: LMDB keeps a sorted list of changed pages, into which every page is inserted,
   * and only that of the part is short (a group of 20,000 blocks upon a million UTXOs takes a third of the time).
   */
  #writeRows(opened: LmdbTable, rows: ReadonlyMap<string, Edit>, growth: CommitSize): void {
    const texts = [...rows.keys()].sort()
    growth.begin(opened, texts.length)
    const write = (from: number) => {
      for (const text of texts.slice(from, from + PART_ROWS)) {
        const { value } = rows.get(text) as Edit
        if (value === undefined) opened.remove(text)
        else this.#takeRoom(growth.add(opened.put(text, value)))
      }
    }
    if (texts.length <= PART_ROWS) write(0)
    else for (let from = 0; from < texts.length; from += PART_ROWS) this.#parts.root.transactionSync(() => write(from))
  }

  /**
   * Keeps the file below its limit. LMDB itself would go on past it, and crash where the machine has no more addresses
   * to give. A row seldom takes more than a new leaf, a split one and a branch or two; counting four pages is safe.
   */
  #takeRoom(bytes: number): void {
    this.#room -= bytes + ROW_BYTES
    if (this.#room >= 0) return
    const { dir, reserved } = this.#parts
    this.#room = reserved.bytes - this.#bytes() - bytes - ROW_BYTES
    if (this.#room < 0) throw storeError("store.full", { dir, maxBytes: reserved.bytes })
  }

  /** The size of the file at the last commit. */
  #bytes(): number {
    const { lastPageNumber, pageSize } = this.#stats()
    return (lastPageNumber + 1) * pageSize
  }

  #stats(): LmdbStats {
    return this.#parts.root.getStats() as LmdbStats
  }

  #requireOpen(): void {
    if (this.#parts.tables.size === 0) throw new Error("the store is closed")
  }
}
