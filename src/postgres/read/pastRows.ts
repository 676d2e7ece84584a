import type { Invalid } from "../../core/lib/invalid.js"
import { LruCache } from "../../core/lib/lruCache.js"
import { NotYet, Unavailable } from "../../core/lib/notYet.js"
import type { AnyTable } from "../../core/state/table.js"
import type { ID } from "../../core/types/id.js"
import { postgresError } from "../errors.js"
import type { DatabaseRow, FetchedPage, PageRange, PastSource, ReadPoint } from "./pastSources.js"

/** The size of a cached row besides its encoded value, which takes about three times its size as an object, bytes. */
const ROW_BYTES = 300
const VALUE_FACTOR = 3

/** Milliseconds of the event loop for a statement, for each row, and for each byte of a value, which arrives as two hex digits, at most. */
const STATEMENT_MILLISECONDS = 0.5
const ROW_MILLISECONDS = 0.01
const BYTE_MILLISECONDS = 8 / (1 << 20)

const fetchMilliseconds = (rows: number, bytes: number): number =>
  STATEMENT_MILLISECONDS + rows * ROW_MILLISECONDS + bytes * BYTE_MILLISECONDS

/** The number of keys of one statement. */
const KEYS_AT_ONCE = 500

/** Counts for the metrics. */
export interface PastCounts {
  hits: number
  misses: number
  statements: number
}

/** Options of reading past rows. */
export interface PastRowsOptions {
  readonly sourceOf: (table: AnyTable) => PastSource | undefined
  /** The maximum size of cached rows, bytes. */
  readonly maxBytes: number
  /** Timeout of a statement, milliseconds. */
  readonly timeout: number
  /** Converts a failure of the database into the reason why an answer is not available. */
  reasonOf(error: unknown): Invalid
}

/** A cached row, or the block at which it was absent. */
type CachedRow = DatabaseRow | { readonly absentAt: ID }

interface RowRequest {
  readonly source: PastSource
  readonly keys: Set<string>
  /** The sizes of the values that were found, by key, bytes. */
  readonly sizes: Map<string, number>
  readonly promise: Promise<void>
  resolve(): void
  reject(error: unknown): void
}

/**
 * The rows that are in the database and not in memory, with a cache of bounded size. If a row is not cached, it is fetched, and the read
 * throws `NotYet`. Keys that are requested in one turn of the event loop are fetched by one statement for each table.
 */
export class PastRows {
  readonly counts: PastCounts = { hits: 0, misses: 0, statements: 0 }
  readonly #options: PastRowsOptions
  #rows: LruCache<CachedRow>
  #pages: LruCache<FetchedPage>
  readonly #wanted = new Map<string, RowRequest>()
  readonly #fetchedPages = new Map<string, Promise<void>>()
  /** A number that changes when the chain is reverted. Rows that are being fetched then are not cached. */
  #generation = 0

  constructor(options: PastRowsOptions) {
    this.#options = options
    this.#rows = new LruCache(options.maxBytes / 2)
    this.#pages = new LruCache(options.maxBytes / 2)
  }

  /** The size of the cached rows, bytes. */
  get size(): number {
    return this.#rows.size + this.#pages.size
  }

  /** Drops all rows, because the chain was reverted. */
  clear(): void {
    this.#generation++
    this.#rows = new LruCache(this.#options.maxBytes / 2)
    this.#pages = new LruCache(this.#options.maxBytes / 2)
  }

  /** Returns the row of a key at a block, or `undefined` if there is none. Throws `NotYet`. */
  get(table: AnyTable, keyText: string, at: ReadPoint): unknown {
    const source = this.#sourceOf(table)
    const cached = this.#rows.get(`${table.name} ${keyText}`)
    if (cached && "value" in cached && cached.height <= at.height) return this.#hit(this.valueOf(cached))
    if (cached && "absentAt" in cached && cached.absentAt === at.id) return this.#hit(undefined)
    this.counts.misses++
    const wanted = this.#want(source, keyText, at)
    throw new NotYet(wanted.promise, () => fetchMilliseconds(1, wanted.sizes.get(keyText) ?? 0))
  }

  /** Returns the first rows of a range at a block. Throws `NotYet`. */
  page(table: AnyTable, range: PageRange, at: ReadPoint): FetchedPage {
    const source = this.#sourceOf(table)
    const key = `${table.name} ${range.prefix} ${range.from} ${range.limit} ${at.id}`
    const cached = this.#pages.get(key)
    if (cached) return this.#hit(cached)
    this.counts.misses++
    let fetching = this.#fetchedPages.get(key)
    if (!fetching) {
      fetching = this.#fetchPage(source, key, range, at).finally(() => this.#fetchedPages.delete(key))
      fetching.catch(() => {})
      this.#fetchedPages.set(key, fetching)
    }
    throw new NotYet(fetching, () => {
      const rows = this.#pages.get(key)?.rows ?? []
      const bytes = rows.reduce((sum, { size }) => sum + size, 0)
      return fetchMilliseconds(rows.length, bytes)
    })
  }

  /** Decodes the value of a row. Throws `Unavailable` if the database has other bytes than a value. */
  valueOf(row: DatabaseRow): unknown {
    try {
      return row.value()
    } catch (error) {
      throw new Unavailable(this.#options.reasonOf(error))
    }
  }

  #sourceOf(table: AnyTable): PastSource {
    const source = this.#options.sourceOf(table)
    if (!source) throw new Error(`the table ${table.name} is not in the database`)
    return source
  }

  #hit<T>(value: T): T {
    this.counts.hits++
    return value
  }

  /** Adds a key that is to be fetched. */
  #want(source: PastSource, keyText: string, at: ReadPoint): RowRequest {
    const name = `${source.table.name} ${at.id}`
    const known = this.#wanted.get(name)
    if (known) {
      known.keys.add(keyText)
      return known
    }
    const wanted: RowRequest = { source, keys: new Set([keyText]), sizes: new Map(), ...withResolvers() }
    this.#wanted.set(name, wanted)
    setImmediate(() => {
      this.#wanted.delete(name)
      this.#fetchRows(wanted, at).then(wanted.resolve, wanted.reject)
    })
    return wanted
  }

  async #fetchRows({ source, keys, sizes }: RowRequest, at: ReadPoint): Promise<void> {
    const generation = this.#generation
    const all = [...keys]
    for (let i = 0; i < all.length; i += KEYS_AT_ONCE) {
      const some = all.slice(i, i + KEYS_AT_ONCE)
      const found = await this.#ask(() => source.fetch(some, at), at)
      if (generation !== this.#generation) continue
      for (const [j, row] of found.rows.entries()) {
        sizes.set(some[j] as string, row?.size ?? 0)
        this.#keep(source, some[j] as string, row, at)
      }
    }
  }

  #keep({ table }: PastSource, keyText: string, row: DatabaseRow | undefined, at: ReadPoint): void {
    const key = `${table.name} ${keyText}`
    if (row) this.#rows.set(key, row, ROW_BYTES + VALUE_FACTOR * row.size)
    else this.#rows.set(key, { absentAt: at.id }, ROW_BYTES)
  }

  async #fetchPage(source: PastSource, key: string, range: PageRange, at: ReadPoint): Promise<void> {
    const generation = this.#generation
    const page = await this.#ask(() => source.fetchPage(range, at), at)
    if (generation !== this.#generation) return
    const size = page.rows.reduce((sum, row) => sum + ROW_BYTES + VALUE_FACTOR * row.size, ROW_BYTES)
    this.#pages.set(key, page, size)
  }

  /** Runs a statement, and checks that the database has the block of the reader. Throws `Unavailable`. */
  async #ask<T extends { readonly blockID: ID | undefined }>(run: () => Promise<T>, at: ReadPoint): Promise<T> {
    this.counts.statements++
    let found: T
    try {
      found = await withTimeout(this.#options.timeout, run())
    } catch (error) {
      throw new Unavailable(this.#options.reasonOf(error))
    }
    if (found.blockID !== at.id) throw new Unavailable(postgresError("postgres.other_state", { height: at.height }))
    return found
  }
}

/** Rejects if a promise has not settled in time. */
async function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" })), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

function withResolvers(): { promise: Promise<void>; resolve(): void; reject(error: unknown): void } {
  let [resolve, reject]: [() => void, (error: unknown) => void] = [() => {}, () => {}]
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  promise.catch(() => {})
  return { promise, resolve, reject }
}
