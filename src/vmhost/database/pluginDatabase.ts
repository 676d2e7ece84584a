/** A key and its value. */
export type Row = readonly [key: Uint8Array, value: Uint8Array]

/** The changes of one write. A key occurs once. */
export interface Changes {
  readonly puts: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[]
  readonly deletes: readonly { readonly key: Uint8Array }[]
}

/** The notes of the host about the chain: the position of the last block, and the block up to which messages were relayed. */
export const CHAIN_NOTES = ["note", "relayed"] as const

/** All notes of the host: those about the chain, and a revert that may be unfinished. */
export type NoteName = (typeof CHAIN_NOTES)[number] | "revert"

/** The database of one plugin: rows in the order of the bytes of their keys. */
export interface PluginDatabase {
  get(key: Uint8Array): Uint8Array | undefined
  /** Writes all changes or none. Throws if there is no room for them. */
  write(changes: Changes): void
  /** Returns the rows of this moment whose keys have the prefix, from `start` on. `return` must be called if it is not read to its end. */
  rows(start: Uint8Array, prefix: Uint8Array): Iterator<Row, undefined>
  /** Returns a note of the host, which is kept beside the rows of the plugin. */
  note(name: NoteName): Uint8Array | undefined
  /** Replaces a note; `undefined` removes it. */
  setNote(name: NoteName, value: Uint8Array | undefined): void
  /** Number of bytes that the database takes. */
  size(): number
  close(): Promise<void>
}

/** Returns the first key after those with this prefix; `undefined` if there is none. */
export function endOfPrefix(prefix: Uint8Array): Uint8Array | undefined {
  const last = prefix.findLastIndex((byte) => byte !== 0xff)
  if (last < 0) return undefined
  const end = Uint8Array.from(prefix.subarray(0, last + 1))
  end[last] = (end[last] as number) + 1
  return end
}
