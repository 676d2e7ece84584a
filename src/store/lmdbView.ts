import { onlyKey } from "../core/state/key.js"
import { type Range, textRange } from "../core/state/range.js"
import type { AnyTable, IndexTable, Table } from "../core/state/table.js"
import type { IndexedView } from "../core/state/view.js"
import type { LmdbTable, ReadOptions } from "./lmdbTable.js"

/** The open tables of one store. The map is cleared when the store closes, so that no read uses a closed memory map. */
export type OpenTables = Map<AnyTable, LmdbTable | undefined>

/** The rows on the disk at one moment, or the latest. */
export class LmdbView implements IndexedView {
  readonly hasIndexes = true
  #tables: OpenTables
  #options: ReadOptions | undefined
  #isReleased = false

  constructor(tables: OpenTables, options?: ReadOptions) {
    this.#tables = tables
    this.#options = options
  }

  get<K, V>(table: Table<K, V> | IndexTable<K, V>, key: K): V | undefined {
    return this.at(table, table.key.toText(key)) as V | undefined
  }

  at(table: AnyTable, text: string): unknown {
    return this.#opened(table)?.get(text, this.#options)
  }

  bytesAt(table: AnyTable, text: string): Uint8Array | undefined {
    return this.#opened(table)?.bytes(text, this.#options)
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    for (const row of this.rows(table)) return row
    return undefined
  }

  *rows<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<readonly [K, V]> {
    const opened = this.#opened(table)
    if (!opened) return
    for (const { key, value } of opened.rows(textRange(table.key, range), this.#options))
      yield [table.key.fromText(key), value as V]
  }

  *values<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<V> {
    const opened = this.#opened(table)
    if (!opened) return
    for (const { value } of opened.values(textRange(table.key, range), this.#options)) yield value as V
  }

  /** Releases the snapshot. Running iterations may end. */
  release(): void {
    // A closed store has released everything already.
    if (this.#isReleased || this.#tables.size === 0) return
    this.#isReleased = true
    this.#options?.transaction?.done()
  }

  /** The snapshot that the view shows; `undefined` for the latest rows. */
  get options(): ReadOptions | undefined {
    return this.#options
  }

  /** Switches to these tables, at this moment or at the latest. */
  show(tables: OpenTables, options?: ReadOptions): void {
    this.#tables = tables
    this.#options = options
  }

  #opened(table: AnyTable): LmdbTable | undefined {
    if (this.#isReleased) throw new Error("the snapshot was given back")
    if (this.#tables.size === 0) throw new Error("the store is closed")
    if (!this.#tables.has(table)) throw new Error(`the store was not opened with the table ${table.name}`)
    return this.#tables.get(table)
  }
}

/** The latest rows. The first row of each table is cached until that table changes, because single rows are read at every block. */
export class LatestView extends LmdbView {
  readonly #first = new Map<AnyTable, readonly [unknown, unknown] | undefined>()
  readonly #remembers: boolean

  /** `remembers` is true if only this process writes, so that every change is noticed. */
  constructor(tables: OpenTables, remembers: boolean) {
    super(tables)
    this.#remembers = remembers
  }

  override get<K, V>(table: Table<K, V> | IndexTable<K, V>, key: K): V | undefined {
    if (!table.isIndex && (table.key as unknown) === onlyKey) return this.first(table)?.[1]
    return super.get(table, key)
  }

  override first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    if (!this.#remembers) return super.first(table)
    if (!this.#first.has(table)) this.#first.set(table, super.first(table))
    return this.#first.get(table) as readonly [K, V] | undefined
  }

  /** Called when the store was opened again, or all of its rows were replaced. */
  moveTo(tables: OpenTables): void {
    this.#first.clear()
    this.show(tables)
  }

  /** Drops the cached rows of these tables. */
  changed(tables: Iterable<AnyTable>): void {
    for (const table of tables) this.#first.delete(table)
  }
}
