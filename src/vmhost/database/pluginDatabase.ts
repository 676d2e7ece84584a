/** A key and its value. */
export type Row = readonly [key: Uint8Array, value: Uint8Array]

/** The changes of one write. A key occurs once. */
export interface Changes {
  readonly puts: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[]
  readonly deletes: readonly { readonly key: Uint8Array }[]
}

/** The notes of the host about the chain: the position of the last block, and the block up to which messages were relayed. */
export type NoteName = "position" | "relayed"

/** The rows of a plugin at one moment. The caller releases it. */
export interface RowsOfMoment {
  /** Returns the rows whose keys have the prefix, from `start` on, in the order of the bytes of their keys. */
  rows(start: Uint8Array, prefix: Uint8Array): Iterable<Row>
  release(): void
}

/** The database of one plugin. */
export interface PluginDatabase {
  get(key: Uint8Array): Uint8Array | undefined
  /** Writes all changes or none. Throws if there is no room for them. */
  write(changes: Changes): void
  /** Returns the rows of this moment. */
  view(): RowsOfMoment
  /** Returns a note of the host, which is kept beside the rows of the plugin. */
  note(name: NoteName): Uint8Array | undefined
  setNote(name: NoteName, value: Uint8Array): void
  /** Number of bytes of its keys and values. */
  size(): number
}
