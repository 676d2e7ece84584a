import type { AnyTable } from "../../core/state/table.js"
import type { Edits, IndexedView } from "../../core/state/view.js"
import { type BackupOptions, writeBackup } from "../maintenance/backup.js"
import type { Meta, MetaChanges } from "../meta.js"
import type { CommitOptions, LoadOptions, Statistics, Store } from "../store.js"
import { Undo } from "../undo.js"
import { checkDataFile } from "./childProcess.js"
import type { LmdbConnection } from "./lmdbConnection.js"
import type { LmdbView } from "./lmdbView.js"
import { LmdbWriter } from "./lmdbWriter.js"
import { loadRows } from "./loadRows.js"
import { type OnPart, rebuildAllIndexes } from "./rebuildIndexes.js"

/** A store on the disk, in LMDB: each commit is one transaction, and durable when `commit` returns. */
export class LmdbStore implements Store {
  readonly #connection: LmdbConnection
  readonly #writer: LmdbWriter
  readonly #tablesBesideChain: ReadonlySet<AnyTable>
  readonly #undo: Undo

  constructor(connection: LmdbConnection, tablesBesideChain: ReadonlySet<AnyTable>) {
    this.#connection = connection
    this.#writer = new LmdbWriter(connection)
    this.#tablesBesideChain = tablesBesideChain
    this.#undo = new Undo((table) => tablesBesideChain.has(table))
  }

  get latest(): IndexedView {
    return this.#connection.latest
  }

  get failure(): Error | undefined {
    return this.#writer.failure
  }

  version(): number {
    return this.#connection.lastTransaction()
  }

  view(): LmdbView {
    return this.#connection.view()
  }

  commit(edits: Edits, { meta = {}, replaceAll = false, clearTables = [] }: CommitOptions = {}): void {
    const cleared = replaceAll
      ? [...this.#connection.tables.keys()].filter((table) => !this.#tablesBesideChain.has(table))
      : clearTables
    const before = cleared.length > 0 ? new Map() : this.#undo.captureBefore(edits, this.#writer.oldValue)
    this.#writer.write(edits, meta, new Set(cleared))
    if (cleared.length > 0) this.#undo.clear()
    else this.#undo.record(before)
  }

  async load(parts: AsyncIterable<Edits>, options: LoadOptions = {}): Promise<void> {
    await this.#writer.loading(() => loadRows(this.#connection, this.#writer, parts, options))
    this.#undo.clear()
  }

  get busy(): Promise<void> | undefined {
    return this.#writer.busy
  }

  getMeta<N extends keyof Meta>(name: N): Meta[N] | undefined {
    return this.#connection.meta.get(name)
  }

  putMeta(changes: MetaChanges): void {
    this.#writer.write(new Map(), changes)
  }

  snapshot(): number {
    return this.#undo.mark()
  }

  revert(snapshot: number, meta: MetaChanges = {}): void {
    this.#writer.write(this.#undo.editsTo(snapshot), meta)
    this.#undo.rewindTo(snapshot)
  }

  dropSnapshot(snapshot: number): void {
    this.#undo.drop(snapshot)
  }

  get snapshots(): readonly number[] {
    return this.#undo.marks
  }

  statistics(): Statistics {
    const { lastPageNumber, pageSize } = this.#connection.stats()
    const rows = [...this.#connection.tables].map(([{ name }, table]) => [name, table?.size ?? 0] as const)
    return { bytes: (lastPageNumber + 1) * pageSize, rows: Object.fromEntries(rows) }
  }

  async backup(dir: string, options: BackupOptions = {}): Promise<void> {
    this.#connection.requireOpen()
    await writeBackup(dir, (part) => this.#connection.root.backup(part, true), options)
  }

  checkFile(): void {
    this.#connection.requireOpen()
    checkDataFile(this.#connection.environment.dir)
  }

  rebuildIndexes(onPart: OnPart = () => {}): void {
    rebuildAllIndexes(this.#connection, this.#writer, onPart)
  }

  async close(): Promise<void> {
    if (!this.#connection.isOpen) return
    await this.busy
    await this.#connection.close(this.#writer.failure === undefined)
  }
}
