import type { Buffer } from "node:buffer"
import type { Database, RootDatabase, Transaction } from "lmdb"
import { decode } from "../../core/codec/decode.js"
import type { Codec } from "../../core/codec/schema.js"
import type { TextRange } from "../../core/state/range.js"
import type { AnyTable } from "../../core/state/table.js"

/** The state that a read sees; the latest by default. */
export interface ReadOptions {
  readonly transaction?: Transaction
}

/** Statistics of LMDB about a tree and about the whole file. */
export interface LmdbStats {
  readonly pageSize: number
  readonly treeDepth: number
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
  readonly lastPageNumber: number
  readonly lastTxnId: number
}

/** Writes and reads keys as hex. LMDB provides the buffer, so that no key is copied twice. */
const keyEncoder = {
  writeKey: (text: string, target: Buffer, start: number) => start + target.write(text, start, "hex"),
  readKey: (source: Buffer, start: number, end: number) => source.toString("hex", start, end),
}

/** One table on the disk: keys as the bytes of their text, values by the table's codec. */
export class LmdbTable {
  readonly table: AnyTable
  readonly #database: Database<unknown, string>

  constructor(table: AnyTable, database: Database<unknown, string>) {
    this.table = table
    this.#database = database
  }

  get(text: string, options: ReadOptions | undefined): unknown {
    return this.#database.get(text, options)
  }

  rows({ prefix, from }: TextRange, options: ReadOptions | undefined): Iterable<Row> {
    const start = from || "00"
    const end = prefixEnd(prefix)
    if (end === undefined) return this.#database.getRange({ start, ...options })
    return start < end ? this.#database.getRange({ start, end, ...options }) : []
  }

  /** Writes a row with an encoded value. It must be called inside a transaction. */
  put(text: string, value: Uint8Array): void {
    this.#database.put(text, value)
  }

  /** Deletes a row. It must be called inside a transaction. */
  remove(text: string): void {
    this.#database.remove(text)
  }

  /** Deletes all rows. It must be called inside a transaction. */
  clear(): void {
    this.#database.clearSync()
  }

  get size(): number {
    return (this.#database.getStats() as { entryCount: number }).entryCount
  }

  get stats(): LmdbStats {
    return this.#database.getStats() as LmdbStats
  }
}

interface Row {
  readonly key: string
  readonly value: unknown
}

/** Opens a database with the rows of a table; `undefined` if the store can only be read and never had it. */
export function openTable(root: RootDatabase, table: AnyTable, name: string): LmdbTable | undefined {
  // Values are passed to LMDB as bytes.
  const encoder = { encode: (bytes: Uint8Array) => bytes, decode: (bytes: Buffer) => stored(table.name, table.value, bytes) }
  // lmdb 3.5.6 ends the current read transaction whenever a database is opened, even if a view holds it.
  root.resetReadTxn()
  const database = root.openDB<unknown, string>(name, { keyEncoder, encoder } as object)
  return database && new LmdbTable(table, database)
}

/** Decodes a value that Serac itself wrote. Bytes that do not decode are a fault. */
export function stored<V>(name: string, codec: Codec<V>, bytes: Buffer): V {
  try {
    // LMDB's buffer is larger than the value in it. Only `length` is valid, and only until the next read.
    return decode(codec, bytes)
  } catch (cause) {
    throw new Error(`a stored value of ${name} does not decode`, { cause })
  }
}

/** Returns the first key text after all that begin with a prefix, in whole bytes; `undefined` if no key can follow them. */
function prefixEnd(prefix: string): string | undefined {
  const trimmed = prefix.replace(/f+$/, "")
  if (trimmed === "") return undefined
  const last = Number.parseInt(trimmed.slice(-1), 16)
  const end = trimmed.slice(0, -1) + (last + 1).toString(16)
  return end.length % 2 === 0 ? end : `${end}0`
}
