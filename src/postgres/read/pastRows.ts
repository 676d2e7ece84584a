import type { Invalid } from "../../core/lib/invalid.js"
import { LruCache } from "../../core/lib/lruCache.js"
import { Unavailable } from "../../core/lib/unavailable.js"
import type { AnyTable } from "../../core/state/table.js"
import type { ID } from "../../core/types/id.js"
import { postgresError } from "../errors.js"
import type { DatabaseRow, Page, PastSource, ReadPoint, TextRange } from "./pastSources.js"

/** The size of a cached row besides its encoded value, which takes about three times its size as an object, bytes. */
const ROW_BYTES = 300
const VALUE_FACTOR = 3

/** Milliseconds of the event loop for a statement, for each row, and for each byte of a value, which arrives as two hex digits, at most. */
const STATEMENT_MILLISECONDS = 0.5
const ROW_MILLISECONDS = 0.01
const BYTE_MILLISECONDS = 8 / (1 << 20)

/** The maximum number of keys or ranges of one statement. */
const KEYS_AT_ONCE = 2048

/** Counts for the metrics. */
export interface PastCounts {
  hits: number
  misses: number
  statements: number
}

export interface PastRowsOptions {
  readonly sourceOf: (table: AnyTable) => PastSource | undefined
  /** The maximum size of cached rows, bytes. */
  readonly maxBytes: number
  /** Timeout of a statement, milliseconds. */
  readonly timeout: number
  /** Converts a failure of the database into the reason why an answer is not available. */
  reasonOf(error: unknown): Invalid
}

/** A request for the row of a key, or for the first rows of a range. */
export interface PastRequest {
  readonly table: AnyTable
  readonly wanted: string | (TextRange & { readonly limit: number })
}

/** Returns a text that identifies a request. */
export const requestKey = ({ table, wanted }: PastRequest): string =>
  typeof wanted === "string" ? `${table.name} ${wanted}` : `${table.name} ${wanted.prefix} ${wanted.from} ${wanted.limit}`

/** The row of a key, the first rows of a range, or the block at which a key had no row. */
export type Found = DatabaseRow | (Page & { readonly at: ID }) | { readonly absentAt: ID }

/** The rows that were found for some requests, by their keys, and what it took to fetch them, milliseconds of the event loop. */
export interface LoadedRows {
  readonly found: ReadonlyMap<string, Found>
  readonly milliseconds: number
}

/** Requests of several calls that are sent together. */
interface Batch {
  readonly requests: Map<string, PastRequest>
  readonly found: Promise<ReadonlyMap<string, Found>>
}

/**
 * The rows that are in the database and not in memory, with a cache of bounded size. What is requested in one turn of the event loop is
 * fetched by one statement for each table.
 */
export class PastRows {
  readonly counts: PastCounts = { hits: 0, misses: 0, statements: 0 }
  readonly #options: PastRowsOptions
  #cache: LruCache<Found>
  readonly #batches = new Map<string, Batch>()
  /** A number that changes when the chain is reverted. Rows that are being fetched then are not cached. */
  #generation = 0

  constructor(options: PastRowsOptions) {
    this.#options = options
    this.#cache = new LruCache(options.maxBytes)
  }

  /** The size of the cached rows, bytes. */
  get size(): number {
    return this.#cache.size
  }

  /** Drops all rows, because the chain was reverted. */
  clear(): void {
    this.#generation++
    this.#cache = new LruCache(this.#options.maxBytes)
  }

  /** Returns what is cached for a request at a block; `undefined` if it has to be fetched. */
  cached(request: PastRequest, at: ReadPoint): Found | undefined {
    if (!this.#options.sourceOf(request.table)) throw new Error(`the table ${request.table.name} is not in the database`)
    const found = this.#cache.get(requestKey(request))
    const isThere =
      found && ("absentAt" in found ? found.absentAt === at.id : "at" in found ? found.at === at.id : found.height <= at.height)
    if (!isThere) {
      this.counts.misses++
      return undefined
    }
    this.counts.hits++
    return found
  }

  /**
   * Fetches rows at a block. Some may be left out if all of them are very large; the caller requests these again. Throws `Unavailable` if the
   * database does not answer, or has another block.
   */
  async load(requests: readonly PastRequest[], at: ReadPoint): Promise<LoadedRows> {
    const batches = new Set<Batch>()
    for (const request of requests) batches.add(this.#add(request, at))
    const all = await Promise.all([...batches].map((batch) => batch.found))
    const found = new Map<string, Found>()
    let milliseconds = batches.size * STATEMENT_MILLISECONDS
    for (const request of requests) {
      const key = requestKey(request)
      const each = all.map((some) => some.get(key)).find((some) => some !== undefined)
      if (!each) continue
      found.set(key, each)
      const rows = "rows" in each ? each.rows : "value" in each ? [each] : []
      milliseconds += Math.max(rows.length, 1) * ROW_MILLISECONDS
      for (const { size } of rows) milliseconds += size * BYTE_MILLISECONDS
    }
    return { found, milliseconds }
  }

  /** Decodes the value of a row. Throws `Unavailable` if the database has other bytes than a value. */
  valueOf(row: DatabaseRow): unknown {
    try {
      return row.value()
    } catch (error) {
      throw new Unavailable(this.#options.reasonOf(error))
    }
  }

  /** Adds a request to those that are sent in the next turn of the event loop. */
  #add(request: PastRequest, at: ReadPoint): Batch {
    const { table, wanted } = request
    const name = `${table.name} ${typeof wanted === "string" ? "" : wanted.limit} ${at.id}`
    let batch = this.#batches.get(name)
    if (!batch) {
      const requests = new Map<string, PastRequest>()
      const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        this.#batches.delete(name)
        return this.#fetch([...requests.values()], at)
      })
      batch = { requests, found }
      this.#batches.set(name, batch)
    }
    batch.requests.set(requestKey(request), request)
    return batch
  }

  /** Fetches the rows of requests that differ only in their key or range. */
  async #fetch(requests: readonly PastRequest[], at: ReadPoint): Promise<ReadonlyMap<string, Found>> {
    const generation = this.#generation
    const found = new Map<string, Found>()
    for (let i = 0; i < requests.length; i += KEYS_AT_ONCE) {
      for (const [request, each] of await this.#ask(requests.slice(i, i + KEYS_AT_ONCE), at)) {
        const key = requestKey(request)
        found.set(key, each)
        if (generation === this.#generation) this.#cache.set(key, each, sizeOf(each))
      }
    }
    return found
  }

  /** Runs a statement, and checks that the database has the block of the reader. */
  async #ask(requests: readonly PastRequest[], at: ReadPoint): Promise<readonly (readonly [PastRequest, Found])[]> {
    this.counts.statements++
    let fetched: { readonly blockID: ID | undefined; readonly found: readonly (readonly [PastRequest, Found])[] }
    try {
      fetched = await withTimeout(this.#options.timeout, this.#statement(requests, at))
    } catch (error) {
      throw new Unavailable(this.#options.reasonOf(error))
    }
    if (fetched.blockID !== at.id) throw new Unavailable(postgresError("postgres.other_state", { height: at.height }))
    return fetched.found
  }

  async #statement(requests: readonly PastRequest[], at: ReadPoint) {
    const source = this.#options.sourceOf((requests[0] as PastRequest).table) as PastSource
    const ranges = requests.flatMap(({ wanted }) => (typeof wanted === "string" ? [] : [wanted]))
    const [range] = ranges
    if (range) {
      const { blockID, pages } = await source.fetchPages(ranges, range.limit, at)
      return { blockID, found: requests.flatMap((request, i) => foundIn(request, pages[i] && { ...pages[i], at: at.id })) }
    }
    const keyTexts = requests.map(({ wanted }) => wanted as string)
    const { blockID, rows } = await source.fetch(keyTexts, at)
    const foundOf = (keyText: string) => (rows.has(keyText) ? (rows.get(keyText) ?? { absentAt: at.id }) : undefined)
    return { blockID, found: requests.flatMap((request, i) => foundIn(request, foundOf(keyTexts[i] as string))) }
  }
}

const foundIn = (request: PastRequest, found: Found | undefined): (readonly [PastRequest, Found])[] =>
  found ? [[request, found]] : []

/** Returns the size of what was found in memory, bytes. */
function sizeOf(found: Found): number {
  const rows = "rows" in found ? found.rows : "value" in found ? [found] : []
  return rows.reduce((sum, { size }) => sum + ROW_BYTES + VALUE_FACTOR * size, "value" in found ? 0 : ROW_BYTES)
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
