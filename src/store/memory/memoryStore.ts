import { SortedMap } from "../../core/lib/sortedMap.js"
import { type Range, textRange } from "../../core/state/range.js"
import type { AnyTable, IndexTable, Table } from "../../core/state/table.js"
import { allTables } from "../../core/state/tables.js"
import type { Edits, IndexedView, Snapshot } from "../../core/state/view.js"
import { storeError } from "../errors.js"
import { indexEdits, tablesOf } from "../indexes.js"
import type { BackupOptions } from "../maintenance/backup.js"
import { backupOf } from "../maintenance/copyRows.js"
import type { Meta, MetaChanges } from "../meta.js"
import type { CommitOptions, LoadOptions, Statistics, Store, StoreTables } from "../store.js"

type Rows = Map<AnyTable, SortedMap<unknown>>

/** A store in memory, with rows as values in sorted maps. A view or a snapshot is a copy of the maps, which shares the rows until they change. */
export class MemoryStore implements Store {
  #rows: Rows
  readonly #tablesBesideChain: ReadonlySet<AnyTable>
  #meta: MetaChanges = {}
  readonly #snapshots = new Map<number, Rows>()
  #nextSnapshot = 1
  #version = 0
  /** The load that is in progress. */
  #busy: Promise<void> | undefined
  readonly latest: IndexedView

  constructor({ tables = allTables, tablesBesideChain = [] }: StoreTables = {}) {
    this.#rows = new Map(tablesOf({ tables, tablesBesideChain }).map((table) => [table, new SortedMap()]))
    this.#tablesBesideChain = new Set(tablesOf({ tablesBesideChain }))
    this.latest = new MemoryView(() => this.#rows)
  }

  readonly failure = undefined

  version(): number {
    return this.#version
  }

  view(): Snapshot {
    const rows = copyOf(this.#rows)
    return new MemoryView(() => rows)
  }

  commit(edits: Edits, { meta = {}, replaceAll = false, clearTables = [] }: CommitOptions = {}): void {
    this.#requireIdle()
    const clearsRows = replaceAll || clearTables.length > 0
    const kept = (table: AnyTable, rows: SortedMap<unknown>) =>
      replaceAll || clearTables.includes(table) ? new SortedMap<unknown>() : rows
    const base: Rows = clearsRows ? this.#replacing(kept) : this.#rows
    const indexes = indexEdits(edits, (table, text) => rowsOf(base, table).get(text))
    // Everything that can fail happens before the first row changes.
    for (const table of [...edits.keys(), ...indexes.keys()]) rowsOf(base, table)
    if (clearsRows) this.#snapshots.clear()
    this.#rows = base
    for (const changes of [edits, indexes]) applyTo(base, changes)
    this.putMeta(meta)
  }

  get busy(): Promise<void> | undefined {
    return this.#busy
  }

  async load(parts: AsyncIterable<Edits>, { keeps = [], check, meta = () => ({}) }: LoadOptions = {}): Promise<void> {
    this.#requireIdle()
    const kept = new Set(tablesOf({ tablesBesideChain: keeps }))
    const loaded: Rows = new Map([...this.#rows].map(([table, rows]) => [table, kept.has(table) ? rows : new SortedMap()]))
    let end = () => {}
    this.#busy = new Promise((resolve) => {
      end = resolve
    })
    try {
      for await (const edits of parts) applyTo(loaded, new Map([...edits, ...indexEdits(edits, () => undefined)]))
      await check?.(new MemoryView(() => loaded))
      this.#snapshots.clear()
      this.#rows = loaded
      this.#setMeta(meta())
    } finally {
      this.#busy = undefined
      end()
    }
  }

  #requireIdle(): void {
    if (this.#busy) throw storeError("store.busy")
  }

  getMeta<N extends keyof Meta>(name: N): Meta[N] | undefined {
    return this.#meta[name] as Meta[N] | undefined
  }

  putMeta(changes: MetaChanges): void {
    this.#requireIdle()
    this.#setMeta(changes)
  }

  #setMeta(changes: MetaChanges): void {
    this.#version++
    this.#meta = { ...this.#meta, ...changes }
  }

  snapshot(): number {
    const number = this.#nextSnapshot++
    this.#snapshots.set(number, copyOf(this.#rows))
    return number
  }

  revert(snapshot: number, meta: MetaChanges = {}): void {
    this.#requireIdle()
    const then = this.#snapshots.get(snapshot)
    if (!then) throw storeError("store.unknown_snapshot", { snapshot })
    this.#rows = this.#replacing((table) => rowsOf(then, table).copy())
    for (const number of this.#snapshots.keys()) if (number > snapshot) this.#snapshots.delete(number)
    this.putMeta(meta)
  }

  dropSnapshot(snapshot: number): void {
    this.#snapshots.delete(snapshot)
  }

  /** Replaces the rows of all tables but `tablesBesideChain`. */
  #replacing(newRows: (table: AnyTable, rows: SortedMap<unknown>) => SortedMap<unknown>): Rows {
    return new Map(
      [...this.#rows].map(([table, rows]) => [table, this.#tablesBesideChain.has(table) ? rows : newRows(table, rows)]),
    )
  }

  get snapshots(): readonly number[] {
    return [...this.#snapshots.keys()]
  }

  statistics(): Statistics {
    return { bytes: 0, rows: Object.fromEntries([...this.#rows].map(([{ name }, rows]) => [name, rows.size])) }
  }

  checkFile(): void {}

  /** Does nothing, because every commit updates the indexes and no disk can lose them. */
  rebuildIndexes(): void {}

  /** Writes an LMDB store, because a backup in memory would end with the process. */
  backup(dir: string, options: BackupOptions = {}): Promise<void> {
    return backupOf(this, { tables: [...this.#rows.keys()], tablesBesideChain: [] }, dir, options)
  }

  async close(): Promise<void> {}
}

class MemoryView implements Snapshot {
  readonly hasIndexes = true
  #rows: () => Rows

  constructor(rows: () => Rows) {
    this.#rows = rows
  }

  release(): void {
    this.#rows = () => {
      throw new Error("the snapshot was given back")
    }
  }

  get<K, V>(table: Table<K, V> | IndexTable<K, V>, key: K): V | undefined {
    return rowsOf(this.#rows(), table).get(table.key.toText(key)) as V | undefined
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    const row = rowsOf(this.#rows(), table).first()
    return row && [table.key.fromText(row[0]), row[1] as V]
  }

  *rows<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<readonly [K, V]> {
    const { prefix, from } = textRange(table.key, range)
    for (const [text, value] of rowsOf(this.#rows(), table).entries(prefix, from)) {
      yield [table.key.fromText(text), value as V]
    }
  }
}

const copyOf = (rows: Rows): Rows => new Map([...rows].map(([table, each]) => [table, each.copy()]))

function rowsOf(rows: Rows, table: AnyTable): SortedMap<unknown> {
  const found = rows.get(table)
  if (!found) throw new Error(`the store was not opened with the table ${table.name}`)
  return found
}

function applyTo(target: Rows, edits: Edits): void {
  for (const [table, rows] of edits) {
    const changed = rowsOf(target, table)
    for (const [text, { value }] of rows) {
      if (value === undefined) changed.delete(text)
      else changed.set(text, value)
    }
  }
}
