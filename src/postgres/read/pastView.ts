import { type Range, textRange } from "../../core/state/range.js"
import type { Snapshot } from "../../core/state/snapshot.js"
import type { AnyTable, IndexTable, Table } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import type { IndexedView } from "../../core/state/view.js"
import type { PastRows } from "./pastRows.js"
import type { ReadPoint } from "./pastSources.js"

/** Number of rows in the first page of an iteration. Each next page has four times as many, up to the last number. */
const [FIRST_PAGE, LAST_PAGE] = [64, 4096]

/** Parts of a view of a read server. */
export interface PastViewOptions {
  /** The tables that are in memory. */
  readonly memory: IndexedView
  readonly memoryTables: ReadonlySet<AnyTable>
  readonly past: PastRows
  release?(): void
}

/** The state of a read server at one block: the current state from memory, the rest from the database. Reads may throw `NotYet`. */
export class PastView implements Snapshot {
  readonly hasIndexes = true
  readonly #options: PastViewOptions

  constructor(options: PastViewOptions) {
    this.#options = options
  }

  release(): void {
    this.#options.release?.()
  }

  get<K, V>(table: Table<K, V> | IndexTable<K, V>, key: K): V | undefined {
    const { memory, memoryTables, past } = this.#options
    if (memoryTables.has(table)) {
      const found = memory.get(table, key)
      // The transactions of stakers are in memory, all others in the database.
      if (found !== undefined || (table as AnyTable) !== tables.txs) return found
    }
    return past.get(table, table.key.toText(key), this.#point()) as V | undefined
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    if (this.#options.memoryTables.has(table)) return this.#options.memory.first(table)
    for (const row of this.rows(table)) return row
    return undefined
  }

  rows<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<readonly [K, V]> {
    return this.#isInMemory(table) ? this.#options.memory.rows(table, range) : this.#pastRows(table, range)
  }

  values<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<V> {
    return this.#isInMemory(table) ? this.#options.memory.values(table, range) : this.#pastValues(table, range)
  }

  #isInMemory(table: AnyTable): boolean {
    return table !== tables.txs && this.#options.memoryTables.has(table)
  }

  *#pastValues<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K>): Iterable<V> {
    for (const [, value] of this.#pastRows(table, range)) yield value
  }

  *#pastRows<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K>): Iterable<readonly [K, V]> {
    const { prefix, from } = textRange(table.key, range)
    const at = this.#point()
    let start = from
    for (let limit = FIRST_PAGE; ; limit = Math.min(limit * 4, LAST_PAGE)) {
      const { rows, isLast } = this.#options.past.page(table, { prefix, from: start, limit }, at)
      for (const row of rows) yield [table.key.fromText(row.keyText), this.#options.past.valueOf(row) as V]
      if (isLast) return
      start = `${rows.at(-1)?.keyText}00`
    }
  }

  #point(): ReadPoint {
    const last = this.#options.memory.get(tables.lastAccepted, null)
    if (!last) throw new Error("the state has no last accepted block")
    return last
  }
}
