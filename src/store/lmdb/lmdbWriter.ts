import { Writer } from "../../core/codec/writer.js"
import type { AnyTable } from "../../core/state/table.js"
import type { Edit, Edits } from "../../core/state/view.js"
import { isFinalFailure, storeError } from "../errors.js"
import { indexEdits } from "../indexes.js"
import type { MetaChanges } from "../meta.js"
import type { LmdbConnection, WriteAccess } from "./lmdbConnection.js"
import { lmdbFailure } from "./lmdbFailure.js"
import type { LmdbTable } from "./lmdbTable.js"
import { commitBytes, type EncodedRows, requireAddresses } from "./room.js"

/** Largest number of bytes that LMDB can write at once. */
const HUGE = 2 ** 29

/**
 * Rows that are written in one nested transaction. LMDB inserts every changed page into a sorted list, and the list of a part is short: a
 * group of 20,000 blocks over a million UTXOs takes a third of the time.
 */
const PART_ROWS = 5000

/** The changed rows of tables, indexes included. */
type TableChanges = readonly (readonly [LmdbTable, ReadonlyMap<string, Edit>])[]

/** One transaction: a first step, the tables to clear, then the rows to write. */
export interface Commit {
  begin?(): void
  readonly cleared?: readonly LmdbTable[]
  readonly rows?: TableChanges
  readonly meta?: MetaChanges
}

/** Writes the commits of a store, and remembers why the last one failed. */
export class LmdbWriter {
  readonly #connection: LmdbConnection
  #failure: Error | undefined
  /** True if LMDB must be opened again before the next commit. */
  #needsReopening = false
  #busy: Promise<void> | undefined

  constructor(connection: LmdbConnection) {
    this.#connection = connection
  }

  /** Error of the last commit; `undefined` once a commit has succeeded. Committed rows can be read meanwhile. */
  get failure(): Error | undefined {
    try {
      this.#connection.checkPlace()
    } catch (error) {
      this.#failure = error as Error
    }
    return this.#failure
  }

  readonly oldValue = (table: AnyTable, text: string): unknown => this.#connection.latest.at(table, text)

  /** Writes rows and their indexes. The tables in `cleared` are cleared first. */
  write(edits: Edits, meta: MetaChanges, cleared: ReadonlySet<AnyTable> = new Set()): void {
    this.#requireIdle()
    const indexes = indexEdits(edits, (table, text) => (cleared.has(table) ? undefined : this.oldValue(table, text)))
    const rows = [...edits, ...indexes].map(([table, changes]) => [this.#connection.table(table), changes] as const)
    if (rows.length + cleared.size + Object.keys(meta).length === 0) return
    const emptied = [...cleared].flatMap((table) => this.#connection.tables.get(table) ?? [])
    try {
      this.commit({ cleared: emptied, rows, meta })
    } finally {
      this.#connection.latest.changed([...cleared, ...rows.map(([{ table }]) => table)])
    }
  }

  /** Writes one transaction atomically. It is durable on return, unless the store is flushed when it is closed. Throws `store.*`. */
  commit({ begin, cleared = [], rows = [], meta = {} }: Commit): void {
    const { encoded, bytes } = this.#prepare(rows)
    const { root } = this.#connection
    try {
      root.transactionSync(() => {
        begin?.()
        for (const table of cleared) table.clear()
        for (const each of encoded) {
          if (each.rows.length <= PART_ROWS) putAll(each)
          else for (const part of partsOf(each)) root.transactionSync(() => putAll(part))
        }
        this.#connection.meta.put(meta)
      })
      this.#failure = undefined
    } catch (error) {
      throw this.#failed(error, bytes, true)
    }
  }

  /** Encodes rows, and checks all that may fail before LMDB writes, because LMDB handles a failed write badly. */
  #prepare(rows: TableChanges): { readonly encoded: readonly EncodedRows[]; readonly bytes: number } {
    const { lock, room } = this.requireWriting()
    const encoded = rows.map(([table, changes]) => encodeRows(table, changes))
    const { lastPageNumber, pageSize } = this.#connection.stats()
    const [used, bytes] = [(lastPageNumber + 1) * pageSize, commitBytes(encoded, pageSize)]
    try {
      lock.check()
      requireAddresses(this.#connection.environment, used + bytes)
      room.require(used, bytes)
    } catch (error) {
      throw this.#failed(error, bytes, false)
    }
    return { encoded, bytes }
  }

  /** Resolves when the load that is in progress has ended; `undefined` if there is none. */
  get busy(): Promise<void> | undefined {
    return this.#busy
  }

  /** Refuses other commits (`store.busy`) until the work has ended. */
  async loading(work: () => Promise<void>): Promise<void> {
    this.#requireIdle()
    const loading = work()
    this.#busy = loading.catch(() => {})
    try {
      await loading
    } finally {
      this.#busy = undefined
    }
  }

  /** Returns the right to write. Throws the failure after which no commit can succeed. */
  requireWriting(): WriteAccess {
    this.#connection.requireOpen()
    const { writing } = this.#connection
    if (!writing) throw new Error("the store was opened for reading only")
    if (isFinalFailure(this.#failure)) throw this.#failure
    if (this.#needsReopening) this.#reopen()
    return writing
  }

  #requireIdle(): void {
    this.requireWriting()
    if (this.#busy) throw storeError("store.busy", { dir: this.#connection.environment.dir })
  }

  /** Records why a commit of this size failed. `isWriting` is true if LMDB had begun to write it. */
  #failed(error: unknown, bytes: number, isWriting: boolean): Error {
    const failure = lmdbFailure(error, this.#connection.environment.dir, bytes > HUGE) as Error
    this.#failure = failure
    if (!isWriting || isFinalFailure(failure)) return failure
    this.#needsReopening = true
    try {
      this.#reopen()
    } catch {
      // The disk still fails. Opening is tried again before the next commit.
    }
    return failure
  }

  #reopen(): void {
    this.#connection.reopen()
    this.#needsReopening = false
  }
}

/**
 * Encodes the changed rows of a table. The values are encoded in the order in which they were made, which is that of the memory, and takes
 * half the time. They are written in the order of their keys, so that neighbouring rows share the work on their page.
 */
function encodeRows(table: LmdbTable, changes: ReadonlyMap<string, Edit>): EncodedRows {
  const codec = table.table.value
  const writer = new Writer(VALUE_BYTES)
  const ends: number[] = []
  for (const { value } of changes.values()) {
    // Most rows of an index have no value; their key contains everything.
    if (value !== undefined && value !== null) codec.write(writer, value)
    ends.push(writer.size)
  }
  const bytes = writer.done()
  const rows = Array.from(changes, ([key, { value }], i) => {
    if (value === undefined || value === null) return { key, value: value === null ? EMPTY : undefined }
    return { key, value: bytes.subarray(ends[i - 1] ?? 0, ends[i]) }
  })
  return { table, rows: rows.sort((a, b) => (a.key < b.key ? -1 : 1)), bytes: bytes.length }
}

const EMPTY = new Uint8Array(0)

/** The first size of the buffer for values, bytes. It grows as needed. */
const VALUE_BYTES = 4096

/** Divides rows into those that are written in one nested transaction. */
function* partsOf({ table, rows, bytes }: EncodedRows): Iterable<EncodedRows> {
  for (let from = 0; from < rows.length; from += PART_ROWS) yield { table, rows: rows.slice(from, from + PART_ROWS), bytes }
}

function putAll({ table, rows }: EncodedRows): void {
  for (const { key, value } of rows) {
    if (value === undefined) table.remove(key)
    else table.put(key, value)
  }
}
