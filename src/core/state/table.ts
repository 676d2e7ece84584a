import type { Codec } from "../codec/schema.js"
import { type Key, onlyKey } from "./key.js"

/** One kind of rows: a name, what finds a row, what a row holds. From it come overlay, disk, dump and checksum. */
export interface Table<K, V> {
  readonly name: string
  readonly key: Key<K>
  readonly value: Codec<V>
  /** Further tables that the rows of this one are found by; kept by whoever commits. */
  readonly indexes: readonly Index<V>[]
}

/**
 * A second way to a row: its table, and the keys (as text) under which a row is listed there. What is listed there is nothing, or
 * what most of those who come this way want of the row, so that they need not look it up.
 */
export interface Index<V> {
  readonly table: AnyTable
  keysOf(keyText: string, value: V): readonly string[]
  listedOf?(value: V): unknown
}

/** What an index lists of a row. */
export const listedIn = <V>(index: Index<V>, value: V): unknown => index.listedOf?.(value) ?? null

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike tables
export type AnyTable = Table<any, any>

export function table<K, V>(name: string, key: Key<K>, value: Codec<V>, indexes: readonly Index<V>[] = []): Table<K, V> {
  return { name, key, value, indexes }
}

/** A table with one row. */
export function singleton<V>(name: string, value: Codec<V>): Table<null, V> {
  return table(name, onlyKey, value)
}

/** The value of a row that says all it has to say by being there. */
export const noValue: Codec<null> = {
  minSize: 0,
  jsonSchema: { type: "null" },
  read: () => null,
  write: () => {},
  toJson: () => null,
  fromJson: () => null,
}
