import { onlyKey } from "../../core/state/key.js"
import { type Range, textRange } from "../../core/state/range.js"
import type { AnyTable, IndexTable, Table } from "../../core/state/table.js"
import { firstOf, type IndexedView } from "../../core/state/view.js"
import type { LmdbTable, ReadOptions } from "./lmdbTable.js"

/** The open tables of one store. The map is cleared when the store closes, so that no read uses a closed memory map. */
export type OpenTables = Map<AnyTable, LmdbTable | undefined>

/** The rows on the disk at one moment, or the latest. */
export class LmdbView implements IndexedView {
  readonly hasIndexes = true
  protected tables: OpenTables
  readonly #options: ReadOptions | undefined
  /** The first rows of the state that the view shows; `undefined` if another process may change the state. */
  firstRows: StateFirstRows | undefined
  #isReleased = false

  constructor(tables: OpenTables, options: ReadOptions | undefined, firstRows: StateFirstRows | undefined) {
    this.tables = tables
    this.#options = options
    this.firstRows = firstRows
  }

  get<K, V>(table: Table<K, V> | IndexTable<K, V>, key: K): V | undefined {
    if (table.isIndex || (table.key as unknown) !== onlyKey) return this.at(table, table.key.toText(key)) as V | undefined
    return this.#firstRow(table, () => {
      const value = this.at(table, table.key.toText(key)) as V | undefined
      return value === undefined ? undefined : [key, value]
    })?.[1]
  }

  at(table: AnyTable, text: string): unknown {
    return this.#opened(table)?.get(text, this.#options)
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    return this.#firstRow(table, () => firstOf(this.rows(table)))
  }

  /** Returns the first row of a table, which `read` reads if it is not known. */
  #firstRow<K, V>(table: Table<K, V>, read: () => readonly [K, V] | undefined): readonly [K, V] | undefined {
    this.#requireOpen()
    return this.firstRows ? this.firstRows.of(table, read) : read()
  }

  *rows<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<readonly [K, V]> {
    const opened = this.#opened(table)
    if (!opened) return
    for (const { key, value } of opened.rows(textRange(table.key, range), this.#options))
      yield [table.key.fromText(key), value as V]
  }

  /** Releases the snapshot. Running iterations may end. */
  release(): void {
    // A closed store has released everything already.
    if (this.#isReleased || this.tables.size === 0) return
    this.#isReleased = true
    this.#options?.transaction?.done()
  }

  #requireOpen(): void {
    if (this.#isReleased) throw new Error("the snapshot was given back")
    if (this.tables.size === 0) throw new Error("the store is closed")
  }

  #opened(table: AnyTable): LmdbTable | undefined {
    this.#requireOpen()
    if (!this.tables.has(table)) throw new Error(`the store was not opened with the table ${table.name}`)
    return this.tables.get(table)
  }
}

/** The latest rows. The first row of each table is known until that table changes, because single rows are read at every block. */
export class LatestView extends LmdbView {
  /** `remembers` is true if only this process writes, so that every change is noticed. */
  constructor(tables: OpenTables, remembers: boolean) {
    super(tables, undefined, remembers ? new StateFirstRows() : undefined)
  }

  /** Called when the store was opened again, or all of its rows were replaced. */
  moveTo(tables: OpenTables): void {
    this.firstRows &&= new StateFirstRows()
    this.tables = tables
  }

  /** Called when rows of these tables were written. Views of the state before keep its first rows. */
  changed(tables: Iterable<AnyTable>): void {
    this.firstRows = this.firstRows?.except(tables)
  }
}

type Row<K, V> = readonly [K, V] | undefined

/**
 * The first rows of tables in one state, as far as they were read. All views of the state share them. Most calls read the single row with
 * the last accepted block, and look whether a table that is usually empty has a row: LMDB takes 2 to 6 µs for each.
 */
export class StateFirstRows {
  readonly #rows: Map<AnyTable, Row<unknown, unknown>>

  constructor(rows: Iterable<readonly [AnyTable, Row<unknown, unknown>]> = []) {
    this.#rows = new Map(rows)
  }

  of<K, V>(table: AnyTable, read: () => Row<K, V>): Row<K, V> {
    const known = this.#rows.get(table)
    if (known !== undefined || this.#rows.has(table)) return known as Row<K, V>
    const row = read()
    this.#rows.set(table, row)
    return row
  }

  /** Copies the first rows for a state that differs in these tables. */
  except(tables: Iterable<AnyTable>): StateFirstRows {
    const copy = new StateFirstRows(this.#rows)
    for (const table of tables) copy.#rows.delete(table)
    return copy
  }
}
