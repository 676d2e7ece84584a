import type { Compare } from "../lib/mergeSorted.js"
import type { ChargedPace } from "../lib/pace.js"
import type { DecodedRows } from "./decodedRows.js"
import type { Range } from "./range.js"
import type { AnyPrimaryTable, AnyTable, IndexTable, Table } from "./table.js"

/** A readable state: a store, a snapshot of it, or a diff on top of either. */
export interface View {
  get<K, V>(table: Table<K, V>, key: K): V | undefined
  /** Returns rows in the order of their keys. */
  rows<K, V>(table: Table<K, V>, range?: Range<K>): Iterable<readonly [K, V]>
  /** Returns the first row. In tables that are sorted by time it is the next one due. */
  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined
  /** The transactions that were decoded last. Only the diffs of a chain's head have them. */
  readonly decodedTxs?: DecodedRows | undefined
}

/** A view with the tables that a store derives from others. A diff is not one, because its changes are not in any index yet. */
export interface IndexedView extends View {
  readonly hasIndexes: true
  /** Returns the reader of the rows that are on another machine, for work with this pace. Only views of read servers have it. */
  past?(pace: ChargedPace): PastReader
  rows<K, V>(table: Table<K, V> | IndexTable<K, V>, range?: Range<K>): Iterable<readonly [K, V]>
  get<K, V>(table: Table<K, V> | IndexTable<K, V>, key: K): V | undefined
}

/** The rows of a store at one moment. The caller releases it; until then the store keeps the old pages on the disk. */
export interface Snapshot extends IndexedView {
  release(): void
}

/** An empty state, on which genesis is written. */
export const emptyView: View = { get: () => undefined, rows: () => [], first: () => undefined }

/** Some lists of one table, which are merged. */
export interface MergedLists<K, V> {
  readonly table: Table<K, V> | IndexTable<K, V>
  readonly ranges: readonly Range<K>[]
  /** Compares the keys of two lists. Rows with equal keys count as one. */
  readonly compare: Compare<K>
  /** Returns whether a key, and therefore each key after it, is behind the end of the lists. By default the ranges end the lists. */
  readonly isBehind?: (key: K) => boolean
  /** The maximum number of different keys. */
  readonly limit: number
}

/**
 * Reads rows of the past. A node has them in its own store. A read server fetches them from its database: the rows of all items, and those
 * of all lists, with a few statements.
 */
export interface PastReader {
  /** Computes a value from rows. `compute` only reads, because it runs again when rows that it needs have arrived. */
  read<T>(compute: (view: IndexedView) => T): Promise<T>
  /** Computes a value for each item, as `read` does. It ends after a value for which `isLast`, which is called in order, returns true. */
  each<T, R>(items: readonly T[], compute: (view: IndexedView, item: T) => R, isLast?: (value: R) => boolean): Promise<R[]>
  merged<K, V>(lists: MergedLists<K, V>): Promise<(readonly [K, V])[]>
}

export function* valuesOf<V>(rows: Iterable<readonly [unknown, V]>): Iterable<V> {
  for (const [, value] of rows) yield value
}

/** Returns the first of some rows, or of other values. */
export function firstOf<T>(rows: Iterable<T>): T | undefined {
  for (const row of rows) return row
  return undefined
}

/** A changed row; without a value it is deleted. */
export interface Edit {
  readonly value: unknown
  /** True if the parent is known to have no such row. */
  readonly isNew: boolean
}

/** The changes of a commit: tables, and the changed rows of each by key text. */
export type Edits = ReadonlyMap<AnyTable, ReadonlyMap<string, Edit>>

/** The changes of a diff, which has no index tables. */
export type PrimaryEdits = ReadonlyMap<AnyPrimaryTable, ReadonlyMap<string, Edit>>
