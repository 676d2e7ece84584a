import type { AnyTable } from "../core/state/table.js"
import type { Edit, Edits } from "../core/state/view.js"
import { CommitSize } from "./commitSize.js"
import type { CommitThread } from "./commitThread.js"
import { editParts } from "./editParts.js"
import { isFinalFailure, storeError } from "./errors.js"
import { indexEdits } from "./indexes.js"
import type { LmdbConnection, WriteAccess } from "./lmdbConnection.js"
import { lmdbFailure } from "./lmdbFailure.js"
import type { LmdbTable } from "./lmdbTable.js"
import { longTransaction } from "./longTransaction.js"
import type { MetaChanges } from "./meta.js"
import { packRows } from "./packRows.js"
import { FileRoom, RowWriter } from "./rowWriter.js"

/** Largest number of bytes that LMDB can write at once. */
const HUGE = 2 ** 29

/** One transaction: a first step, the tables to clear, then the rows to write. */
export interface Commit {
  begin?(): void
  readonly emptied?: readonly LmdbTable[]
  readonly rows?: readonly (readonly [LmdbTable, ReadonlyMap<string, Edit>])[]
  readonly meta?: MetaChanges
}

/** Writes the commits of a store, and remembers why the last one failed. */
export class LmdbWriter {
  readonly #connection: LmdbConnection
  readonly #room: FileRoom
  #failure: Error | undefined
  /** True if LMDB must be opened again before the next commit. */
  #needsReopening = false

  constructor(connection: LmdbConnection) {
    this.#connection = connection
    this.#room = new FileRoom(connection)
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

  /** Writes rows and their indexes. The tables in `emptied` are cleared first. */
  write(edits: Edits, meta: MetaChanges, emptied: ReadonlySet<AnyTable> = new Set()): void {
    this.#requireIdle()
    const indexes = indexEdits(edits, (table, text) => (emptied.has(table) ? undefined : this.oldValue(table, text)))
    const rows = [...edits, ...indexes].map(([table, changes]) => [this.#connection.table(table), changes] as const)
    if (rows.length + emptied.size + Object.keys(meta).length === 0) return
    const cleared = [...emptied].flatMap((table) => this.#connection.tables.get(table) ?? [])
    try {
      this.commit({ emptied: cleared, rows, meta })
    } finally {
      this.#connection.latest.changed([...emptied, ...rows.map(([{ table }]) => table)])
    }
  }

  /** Writes one transaction atomically. It is durable on return. Throws `store.*`. */
  commit({ begin, emptied = [], rows = [], meta = {} }: Commit): void {
    const { lock, room } = this.requireWriting()
    const writer = new RowWriter(this.#connection, this.#room)
    let isWriting = false
    try {
      this.#connection.root.transactionSync(() => {
        lock.check()
        begin?.()
        for (const table of emptied) table.clear()
        for (const [table, changes] of rows) writer.write(table, changes)
        this.#connection.meta.put(meta)
        room.require(writer.growth.most, () => writer.growth.exactly(this.#connection.stats()))
        isWriting = true
      })
      this.#failure = undefined
    } catch (error) {
      throw this.#failed(error, writer.growth, isWriting)
    }
  }

  /** Writes rows and their indexes as one transaction, part by part. Until it has ended, reads show the previous state. */
  writeInSteps(edits: Edits, rest: () => Promise<void>, meta: MetaChanges): Promise<void> {
    return this.loading(async () => {
      const { latest, tables } = this.#connection
      for (const table of edits.keys()) this.#connection.table(table)
      const before = this.#connection.view()
      // Iterations need a transaction of their own until this one has ended.
      latest.show(tables, before.options)
      try {
        await this.#commitInSteps(edits, rest, meta)
      } finally {
        before.release()
        latest.moveTo(this.#connection.tables)
      }
    })
  }

  /**
   * Writes rows and their indexes as one transaction in a thread. Until it has ended, reads show the previous state. All that may fail before
   * LMDB writes is checked here, in the thread of the store.
   */
  writeInThread(edits: Edits, thread: CommitThread): Promise<void> {
    return this.loading(async () => {
      const growth = new CommitSize()
      const changed = [...edits, ...indexEdits(edits, this.oldValue)]
      const rows = changed.map(([table, changes]) => packRows(this.#connection.table(table), changes, growth))
      const { lock, room } = this.requireWriting()
      let isWriting = false
      try {
        lock.check()
        this.#room.take(growth.most)
        room.require(growth.most, () => growth.exactly(this.#connection.stats()))
        isWriting = true
        await thread.commit(this.#connection.parts.rootOptions(), rows)
        this.#failure = undefined
      } catch (error) {
        throw this.#failed(error, growth, isWriting)
      } finally {
        this.#connection.writtenElsewhere(changed.map(([table]) => table))
      }
    })
  }

  async #commitInSteps(edits: Edits, rest: () => Promise<void>, meta: MetaChanges): Promise<void> {
    const { lock, room } = this.requireWriting()
    const { root } = this.#connection
    const writer = new RowWriter(this.#connection, this.#room)
    let isWriting = false
    const write = (part: Edits) => {
      for (const [table, rows] of part) writer.write(this.#connection.table(table), rows)
    }
    const parts = editParts(edits, this.oldValue)
    async function* steps(): AsyncGenerator<() => void, void> {
      yield () => lock.check()
      for (const part of parts) {
        yield () => root.transactionSync(() => write(part))
        await rest()
      }
      yield () => {
        putMeta()
        room.require(writer.growth.most, () => writer.growth.exactly(stats()))
        isWriting = true
      }
    }
    const stats = () => this.#connection.stats()
    const putMeta = () => root.transactionSync(() => this.#connection.meta.put(meta))
    try {
      await longTransaction(root, steps())
      this.#failure = undefined
    } catch (error) {
      throw this.#failed(error, writer.growth, isWriting)
    }
  }

  /** Refuses other commits (`store.busy`) until the work has ended. */
  async loading(work: () => Promise<void>): Promise<void> {
    this.#requireIdle()
    this.#connection.isLoading = true
    try {
      await work()
    } finally {
      this.#connection.isLoading = false
    }
  }

  /** Returns the right to write. Throws the failure after which no commit can succeed. */
  requireWriting(): WriteAccess {
    this.#connection.requireOpen()
    const { writing } = this.#connection.parts
    if (!writing) throw new Error("the store was opened for reading only")
    if (isFinalFailure(this.#failure)) throw this.#failure
    if (this.#needsReopening) this.#reopen()
    return writing
  }

  #requireIdle(): void {
    this.requireWriting()
    if (this.#connection.isLoading) throw storeError("store.busy", { dir: this.#connection.parts.dir })
  }

  /** Records why a commit failed. `isWriting` is true if LMDB had begun to write it. */
  #failed(error: unknown, growth: CommitSize, isWriting: boolean): Error {
    const failure = lmdbFailure(error, this.#connection.parts.dir, growth.most > HUGE) as Error
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
