import { LruCache } from "../lib/lruCache.js"

/** The number of values that are kept, which is enough for the last few blocks. */
const ENTRIES = 128

/** The longest row whose value is kept, bytes. A value takes several times the size of its row, so all values take a few MiB at most. */
const MAX_ROW = 4096

/**
 * Keeps the values that were decoded last from rows whose key is a hash of their bytes, such as transactions. The execution of a reward and
 * the read model need the transaction of one staker about ten times.
 */
export class DecodedRows {
  readonly #values = new LruCache<unknown>(ENTRIES)

  /** Returns the value of a row. The caller has found the row in its own view, because this object also knows rows of other views. */
  valueOf<T>(hash: string, bytes: Uint8Array, decode: (bytes: Uint8Array) => T): T {
    if (bytes.length > MAX_ROW) return decode(bytes)
    return this.#values.valueOf(hash, () => decode(bytes)) as T
  }
}
