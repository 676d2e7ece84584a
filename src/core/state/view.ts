import type { AnyTable, Table } from "./table.js"

/** Which rows: those whose key text starts with `prefix`, from `from` (inclusive) on. */
export interface Range {
  readonly prefix?: string
  readonly from?: string
}

/** Anything that can say what the state is: the disk, memory, or a diff on top of either. */
export interface View {
  get<K, V>(table: Table<K, V>, key: K): V | undefined
  /** Rows in the order of their keys. */
  rows<K, V>(table: Table<K, V>, range?: Range): Iterable<readonly [K, V]>
  /** The same without keys, which are half of what a long walk costs. */
  values<K, V>(table: Table<K, V>, range?: Range): Iterable<V>
  /** The first row, which for tables in order of time is the next to be due. */
  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined
}

/** One changed row; without value it was deleted. */
export interface Edit {
  readonly value: unknown
  /** True where the parent is known to have no such row. */
  readonly isNew: boolean
}

/** What a commit writes: tables, and in each the changed rows by key text. */
export type Edits = ReadonlyMap<AnyTable, ReadonlyMap<string, Edit>>
