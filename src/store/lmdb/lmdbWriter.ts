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

/** One transaction: a first step, the tables to clear, then the rows to write. */
export interface Commit {
  begin?(): void
  readonly cleared?: readonly LmdbTable[]
  readonly rows?: readonly (readonly [LmdbTable, ReadonlyMap<string, Edit>])[]
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

  /**
   * Writes one transaction atomically. It is durable on return. Throws `store.*`. All that may fail before LMDB writes is checked first,
   * because LMDB handles a failed write badly.
   */
  commit({ begin, cleared = [], rows = [], meta = {} }: Commit): void {
    const { lock, room } = this.requireWriting()
    const { environment } = this.#connection
    const encoded = rows.map(([table, changes]) => encodeRows(table, changes))
    const { lastPageNumber, pageSize } = this.#connection.stats()
    const [used, bytes] = [(lastPageNumber + 1) * pageSize, commitBytes(encoded, pageSize)]
    let isWriting = false
    try {
      lock.check()
      requireAddresses(environment, used + bytes)
      room.require(used, bytes)
      isWriting = true
      this.#connection.root.transactionSync(() => {
        begin?.()
        for (const table of cleared) table.clear()
        for (const each of encoded) this.#put(each)
        this.#connection.meta.put(meta)
      })
      this.#failure = undefined
    } catch (error) {
      throw this.#failed(error, bytes, isWriting)
    }
  }

  #put({ table, keys, order, bytes, ends, deleted }: EncodedRows): void {
    const putPart = (from: number) => {
      for (const i of order.slice(from, from + PART_ROWS)) {
        const key = keys[i] as string
        if (deleted.has(key)) table.remove(key)
        else table.put(key, bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]))
      }
    }
    if (keys.length <= PART_ROWS) putPart(0)
    else
      for (let from = 0; from < keys.length; from += PART_ROWS) {
        this.#connection.root.transactionSync(() => putPart(from))
      }
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
  const keys = [...changes.keys()]
  const order = [...keys.keys()].sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1))
  const writer = new Writer(VALUE_BYTES)
  const ends = new Uint32Array(keys.length)
  const deleted = new Set<string>()
  let i = 0
  for (const [key, { value }] of changes) {
    if (value === undefined) deleted.add(key)
    // Most rows of an index have no value; their key contains everything.
    else if (value !== null) codec.write(writer, value)
    ends[i++] = writer.size
  }
  return { table, keys, order, bytes: writer.lent(), ends, deleted }
}

/** The first size of the buffer for values, bytes. It grows as needed. */
const VALUE_BYTES = 4096
