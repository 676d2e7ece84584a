import type { Database, RootDatabase } from "lmdb"
import { load } from "../../platform/load.js"
import { type Changes, endOfPrefix, type NoteName, type PluginDatabase, type Row } from "./pluginDatabase.js"

/** The maximum size of a key in LMDB, bytes. */
const MAX_KEY = 1978

/** The address space that is reserved at first, bytes. It grows when it is needed. */
const MAP_SIZE = 64 << 20

/** What LMDB says about a file, and about a database in it. */
interface LmdbStatistics {
  readonly pageSize: number
  readonly lastPageNumber: number
  readonly lastTxnId: number
  readonly treeDepth: number
  readonly treeBranchPageCount: number
  readonly treeLeafPageCount: number
}

/** The guards against a disk that is full or fails. */
export interface DiskGuard {
  /** Throws if a write of this many rows and bytes cannot be done. LMDB has not begun it then. */
  require(write: {
    readonly file: LmdbStatistics
    readonly stats: LmdbStatistics
    readonly rows: number
    readonly bytes: number
  }): void
  /** Returns the refusal of a write that failed in LMDB. */
  failed(error: unknown): Error
  close(): void
}

/** An LMDB environment with the rows of a plugin and the notes of the host. */
interface Opened {
  readonly root: RootDatabase
  readonly rows: Database<Uint8Array, Uint8Array>
  readonly notes: Database<Uint8Array, string>
}

/**
 * A database on the disk, in an LMDB environment of its own. A commit is with the operating system when it returns, so neither a killed plugin
 * nor a killed node loses it; the disk follows a moment later. After the loss of the machine the last commit on the disk is used.
 */
export class LmdbDatabase implements PluginDatabase {
  readonly #dir: string
  readonly #maxBytes: number
  readonly #guard: DiskGuard | undefined
  #opened: Opened
  /** The number of iterations that have begun and not ended. */
  #iterations = 0
  /** True if LMDB must be opened again before the next write, because it handles a failed one badly. */
  #needsReopening = false

  /** `dir` must exist. A database that is written needs a guard. */
  constructor(dir: string, maxBytes: number, guard?: DiskGuard) {
    this.#dir = dir
    this.#maxBytes = maxBytes
    this.#guard = guard
    this.#opened = open(dir)
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return isPossible(key) ? this.#opened.rows.get(key) : undefined
  }

  note(name: NoteName): Uint8Array | undefined {
    return this.#opened.notes.get(name)
  }

  setNote(name: NoteName, value: Uint8Array | undefined): void {
    this.#guarded(1, value?.length ?? 0, ({ notes }) => {
      if (value === undefined) notes.removeSync(name)
      else notes.putSync(name, value)
    })
  }

  write({ puts, deletes }: Changes): void {
    const tooLong = puts.find(({ key }) => !isPossible(key))
    if (tooLong) throw new Error(`a key has ${tooLong.key.length} bytes, and may have 1 to ${MAX_KEY}`)
    const added = puts.reduce((sum, { key, value }) => sum + key.length + value.length, 0)
    if (this.size() + added > this.#maxBytes) throw new Error(`the database takes more than ${this.#maxBytes} bytes`)
    this.#guarded(puts.length + deletes.length, added, ({ rows }) => {
      for (const { key } of deletes) if (isPossible(key)) rows.removeSync(key)
      for (const { key, value } of puts) rows.putSync(key, value)
    })
  }

  /** Runs a write of this many rows and bytes as one transaction, if the disk has room for it. Throws `store.*`. */
  #guarded(rows: number, bytes: number, write: (opened: Opened) => void): void {
    this.#reopen()
    const opened = this.#opened
    this.#guard?.require({ file: statisticsOf(opened.root), stats: statisticsOf(opened.rows), rows, bytes })
    try {
      opened.root.transactionSync(() => write(opened))
    } catch (error) {
      this.#needsReopening = true
      throw this.#guard?.failed(error) ?? error
    }
  }

  /** Opens LMDB again after a write that failed, as soon as no iteration reads from it. */
  #reopen(): void {
    if (!this.#needsReopening) return
    if (this.#iterations > 0) throw new Error("a write has failed, and an iteration is not over")
    void this.#opened.root.close()
    this.#opened = open(this.#dir)
    this.#needsReopening = false
  }

  *rows(start: Uint8Array, prefix: Uint8Array): Generator<Row, undefined> {
    const first = Buffer.compare(start, prefix) > 0 ? start : prefix
    const end = endOfPrefix(prefix)
    const range = this.#opened.rows.getRange({
      ...(first.length > 0 ? { start: first } : {}),
      ...(end && prefix.length > 0 ? { end } : {}),
    })
    this.#iterations++
    try {
      for (const { key, value } of range) yield [key, value]
    } finally {
      this.#iterations--
    }
    return undefined
  }

  size(): number {
    const { pageSize, lastPageNumber } = statisticsOf(this.#opened.root)
    return pageSize * (lastPageNumber + 1)
  }

  /** Writes a consistent copy into a directory, which must exist, while the database is used. */
  async copyTo(dir: string): Promise<void> {
    await this.#opened.root.backup(dir, false)
  }

  async close(): Promise<void> {
    const { root } = this.#opened
    await root.flushed
    await root.close()
    this.#guard?.close()
  }
}

function open(path: string): Opened {
  const root = load<typeof import("lmdb")>("lmdb").open({
    path,
    noSubdir: false,
    mapSize: MAP_SIZE,
    overlappingSync: true,
    maxReaders: 1024,
    maxDbs: 2,
  })
  const rows = root.openDB<Uint8Array, Uint8Array>({ name: "rows", encoding: "binary", keyEncoding: "binary" })
  return { root, rows, notes: root.openDB({ name: "notes", encoding: "binary" }) }
}

const statisticsOf = (database: Database<Uint8Array, never> | RootDatabase | Database<Uint8Array, Uint8Array>): LmdbStatistics =>
  database.getStats() as LmdbStatistics

const isPossible = ({ length }: Uint8Array): boolean => length > 0 && length <= MAX_KEY
