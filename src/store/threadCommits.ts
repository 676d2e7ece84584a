import type { Database, RootDatabase } from "lmdb"
import { keyEncoder } from "./lmdbTable.js"
import { DELETED, type PackedRows } from "./packedRows.js"
import { PART_ROWS } from "./rowWriter.js"

type EncodedRows = Database<Uint8Array, string>

/** Writes commits in a thread that is not the owner of the store. The owner has checked that they can be written. */
export class ThreadCommits {
  readonly #root: RootDatabase
  readonly #databases = new Map<string, EncodedRows>()

  constructor(root: RootDatabase) {
    this.#root = root
  }

  /** Writes rows as one transaction. */
  commit(tables: readonly PackedRows[]): void {
    // No database may be opened inside the transaction.
    const opened = tables.map((rows) => [this.#database(rows.database), rows] as const)
    this.#root.transactionSync(() => {
      for (const [database, rows] of opened) this.#write(database, rows)
    })
  }

  close(): Promise<void> {
    return this.#root.close()
  }

  /** Writes many rows in parts, each a nested transaction, see `RowWriter`. */
  #write(database: EncodedRows, { keys, keyWidth, sizes, values }: PackedRows): void {
    let at = 0
    const writePart = (from: number, end: number) => {
      for (let i = from; i < end; i++) {
        const text = keys.slice(i * keyWidth, (i + 1) * keyWidth)
        const size = sizes[i] as number
        if (size === DELETED) {
          database.remove(text)
          continue
        }
        database.put(text, values.subarray(at, at + size))
        at += size
      }
    }
    const count = sizes.length
    if (count <= PART_ROWS) writePart(0, count)
    else
      for (let from = 0; from < count; from += PART_ROWS) {
        this.#root.transactionSync(() => writePart(from, Math.min(from + PART_ROWS, count)))
      }
  }

  #database(name: string): EncodedRows {
    let database = this.#databases.get(name)
    if (!database) {
      const encoder = { encode: (bytes: Uint8Array) => bytes }
      database = this.#root.openDB<Uint8Array, string>(name, { keyEncoder, encoder } as object)
      this.#databases.set(name, database)
    }
    return database
  }
}
