import type { Log } from "../core/lib/log.js"
import { SQL_SCHEMA } from "../core/sql/sqlTable.js"
import type { AnyPrimaryTable } from "../core/state/table.js"
import { tables } from "../core/state/tables.js"
import type { Store } from "../store/store.js"
import { openDatabase } from "./connection.js"
import { snapshotPieces } from "./read/snapshot.js"
import { inTransaction } from "./transaction.js"

/** The pauses after a failed snapshot, milliseconds. They double, because each try reads and packs the whole state. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1000, 300_000]

/** Number of snapshots that are kept, because a server may be reading the last but one. */
const KEPT = 2

const ADD_PIECE = `insert into ${SQL_SCHEMA}.snapshots (height, piece, bytes) values ($1, $2, $3)`
/** A snapshot above the present height is of a chain that was reverted meanwhile. */
const REMOVE_REVERTED = `delete from ${SQL_SCHEMA}.snapshots where height > $1`
const REMOVE_OLD = `delete from ${SQL_SCHEMA}.snapshots where height not in (
  select distinct height from ${SQL_SCHEMA}.snapshots order by height desc limit ${KEPT})`

export interface SnapshotOptions {
  /** Number of blocks between two snapshots. */
  readonly every: number
  /** The tables of the current state. */
  readonly tables: readonly AnyPrimaryTable[]
  readonly readModel: string
}

export interface SnapshotWriterOptions extends SnapshotOptions {
  readonly url: string
  readonly store: Pick<Store, "view">
  readonly log: Log
}

/** Writes snapshots of the state into the database, in parallel to the publisher and over a connection of its own. */
export class SnapshotWriter {
  readonly #options: SnapshotWriterOptions
  #last: bigint | undefined
  #writing: Promise<void> | undefined
  #isStopped = false
  #pause = FIRST_PAUSE
  /** The time of `performance.now` before which no snapshot is tried. */
  #notBefore = 0

  constructor(options: SnapshotWriterOptions) {
    this.#options = options
  }

  /** Starts a snapshot if one is due at a published height. */
  published(height: bigint): void {
    const isDue = this.#last === undefined || height < this.#last || height - this.#last >= BigInt(this.#options.every)
    if (this.#writing || this.#isStopped || !isDue || height < BigInt(this.#options.every)) return
    if (performance.now() < this.#notBefore) return
    this.#writing = this.#write(height)
      .then(() => {
        this.#pause = FIRST_PAUSE
      })
      .catch((error: Error) => {
        const seconds = this.#pause / 1000
        this.#options.log.warn("a snapshot was not written", { height, reason: error.message, triedAgainInSeconds: seconds })
        this.#notBefore = performance.now() + this.#pause
        this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE)
      })
      .finally(() => {
        this.#writing = undefined
      })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#writing
  }

  async #write(published: bigint): Promise<void> {
    const { url, store, every, log } = this.#options
    let isClosed = false
    const onClose = () => {
      isClosed = true
    }
    const database = await openDatabase(url, { max: 1, name: "serac snapshot", onClose })
    const view = store.view()
    try {
      const [newest] = await database<{ height: bigint | null }[]>`select max(height) as height from serac.snapshots`
      this.#last = newest?.height ?? undefined
      const height = view.get(tables.lastAccepted, null)?.height
      // The state may be ahead of the published blocks; then the next block is tried.
      if (height !== published || (this.#last !== undefined && height >= this.#last && height - this.#last < BigInt(every)))
        return
      const started = performance.now()
      let size = 0
      await inTransaction(
        database,
        () => isClosed,
        async (transaction) => {
          for await (const { piece, bytes } of snapshotPieces({ ...this.#options, view })) {
            if (this.#isStopped) throw new Error("the publisher stops")
            size += bytes.length
            await transaction.unsafe(ADD_PIECE, [height, piece, Buffer.from(bytes)])
          }
          await transaction.unsafe(REMOVE_REVERTED, [height])
          await transaction.unsafe(REMOVE_OLD)
        },
      )
      this.#last = height
      log.info("snapshot", { height, bytes: size, seconds: Math.round(performance.now() - started) / 1000 })
    } finally {
      view.release()
      await database.end({ timeout: 1 }).catch(() => {})
    }
  }
}
