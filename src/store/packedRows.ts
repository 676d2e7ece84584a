/** The changed rows of one database in a form that is cheap to pass to another thread. */
export interface PackedRows {
  readonly database: string
  /** The texts of all keys in ascending order, one after the other. */
  readonly keys: string
  /** The number of hex digits of each key. */
  readonly keyWidth: number
  /** The sizes of the encoded values; `DELETED` for a row that is deleted. */
  readonly sizes: Uint32Array
  /** The encoded values, one after the other. */
  readonly values: Uint8Array
}

/** The size in the place of a deleted row. No value is that large. */
export const DELETED = 0xffff_ffff
