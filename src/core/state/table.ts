import type { Codec } from "../codec/schema.js"
import { type Key, onlyKey } from "./key.js"

interface AnyKindOfTable<K, V> {
  readonly name: string
  readonly key: Key<K>
  readonly value: Codec<V>
}

/** A table: its name, the form of its keys, and the codec of its values. Diffs, stores, dumps and checksums need nothing else. */
export interface Table<K, V> extends AnyKindOfTable<K, V> {
  readonly isIndex: false
  /** Tables that the store derives from the rows of this one. */
  readonly indexes: readonly Index<V>[]
}

/** A table that the store derives from another table. Only an `IndexedView` has it; a diff does not. */
export interface IndexTable<K, V> extends AnyKindOfTable<K, V> {
  readonly isIndex: true
  readonly indexes: readonly []
}

/**
 * The derivation of an index table: the keys (as text) under which a row is listed there, and the listed value. It is null, or the part of
 * the row that most readers need, which saves them a second read.
 */
export interface Index<V> {
  // biome-ignore lint/suspicious/noExplicitAny: a list of unlike tables
  readonly table: IndexTable<any, any>
  keysOf(keyText: string, value: V): readonly string[]
  listedOf?(value: V): unknown
}

export const listedIn = <V>(index: Index<V>, value: V): unknown => index.listedOf?.(value) ?? null

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike tables
export type AnyPrimaryTable = Table<any, any>

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike tables
export type AnyTable = AnyPrimaryTable | IndexTable<any, any>

/** Returns whether a table has rows of its own, and is not derived from another table. */
export const isPrimary = (table: AnyTable): table is AnyPrimaryTable => !table.isIndex

export function table<K, V>(name: string, key: Key<K>, value: Codec<V>, indexes: readonly Index<V>[] = []): Table<K, V> {
  return { name, key, value, indexes, isIndex: false }
}

export function indexTable<K, V>(name: string, key: Key<K>, value: Codec<V>): IndexTable<K, V> {
  return { name, key, value, indexes: [], isIndex: true }
}

export function singleton<V>(name: string, value: Codec<V>): Table<null, V> {
  return table(name, onlyKey, value)
}

/** The codec of rows without a value, of which only the key matters. */
export const noValue: Codec<null> = {
  minSize: 0,
  jsonSchema: { type: "null" },
  read: () => null,
  write: () => {},
  writeJson: (sink) => sink.json(null),
  fromJson: () => null,
}
