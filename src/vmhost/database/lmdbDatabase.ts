import type { Database, RootDatabase } from "lmdb"
import { load } from "../../platform/load.js"
import { type Changes, endOfPrefix, type NoteName, type PluginDatabase, type Row } from "./pluginDatabase.js"

/** The maximum size of a key in LMDB, bytes. */
const MAX_KEY = 1978

/** The address space that is reserved at first, bytes. It grows when it is needed. */
const MAP_SIZE = 64 << 20

/**
 * A database on the disk, in an LMDB environment of its own. A commit is with the operating system when it returns, so neither a killed plugin
 * nor a killed node loses it; the disk follows a moment later. After the loss of the machine the last commit on the disk is used.
 */
export class LmdbDatabase implements PluginDatabase {
  readonly #root: RootDatabase
  readonly #rows: Database<Uint8Array, Uint8Array>
  readonly #notes: Database<Uint8Array, string>
  readonly #maxBytes: number

  /** `dir` must exist. */
  constructor(dir: string, maxBytes: number) {
    this.#maxBytes = maxBytes
    this.#root = load<typeof import("lmdb")>("lmdb").open({
      path: dir,
      noSubdir: false,
      mapSize: MAP_SIZE,
      overlappingSync: true,
      maxReaders: 1024,
      maxDbs: 2,
    })
    this.#rows = this.#root.openDB({ name: "rows", encoding: "binary", keyEncoding: "binary" })
    this.#notes = this.#root.openDB({ name: "notes", encoding: "binary" })
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return isPossible(key) ? this.#rows.get(key) : undefined
  }

  note(name: NoteName): Uint8Array | undefined {
    return this.#notes.get(name)
  }

  setNote(name: NoteName, value: Uint8Array | undefined): void {
    if (value === undefined) this.#notes.removeSync(name)
    else this.#notes.putSync(name, value)
  }

  write({ puts, deletes }: Changes): void {
    const tooLong = puts.find(({ key }) => !isPossible(key))
    if (tooLong) throw new Error(`a key has ${tooLong.key.length} bytes, and may have 1 to ${MAX_KEY}`)
    const added = puts.reduce((sum, { key, value }) => sum + key.length + value.length, 0)
    if (this.size() + added > this.#maxBytes) throw new Error(`the database takes more than ${this.#maxBytes} bytes`)
    this.#root.transactionSync(() => {
      for (const { key } of deletes) if (isPossible(key)) this.#rows.removeSync(key)
      for (const { key, value } of puts) this.#rows.putSync(key, value)
    })
  }

  *rows(start: Uint8Array, prefix: Uint8Array): Generator<Row, undefined> {
    const first = Buffer.compare(start, prefix) > 0 ? start : prefix
    const end = endOfPrefix(prefix)
    const range = this.#rows.getRange({
      ...(first.length > 0 ? { start: first } : {}),
      ...(end && prefix.length > 0 ? { end } : {}),
    })
    for (const { key, value } of range) yield [key, value]
    return undefined
  }

  size(): number {
    const { pageSize, lastPageNumber } = this.#root.getStats() as { pageSize: number; lastPageNumber: number }
    return pageSize * (lastPageNumber + 1)
  }

  /** Writes a consistent copy into a directory, which must exist, while the database is used. */
  async copyTo(dir: string): Promise<void> {
    await this.#root.backup(dir, false)
  }

  async close(): Promise<void> {
    await this.#root.flushed
    await this.#root.close()
  }
}

const isPossible = ({ length }: Uint8Array): boolean => length > 0 && length <= MAX_KEY
