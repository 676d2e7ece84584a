import type { ChargedPace } from "../../core/lib/pace.js"
import { firstMerged } from "../../core/state/pastReader.js"
import { type Range, textRange } from "../../core/state/range.js"
import type { AnyTable, IndexTable, Table } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import type { IndexedView, MergedLists, PastReader, Snapshot } from "../../core/state/view.js"
import { type Found, type PastRequest, type PastRows, requestKey } from "./pastRows.js"
import type { DatabaseRow, Page, ReadPoint } from "./pastSources.js"

/** Number of rows in the first page of an iteration. Each next page has four times as many, up to the last number. */
const [FIRST_PAGE, LAST_PAGE] = [64, 4096]

export interface PastViewOptions {
  readonly memory: IndexedView
  readonly memoryTables: ReadonlySet<AnyTable>
  readonly past: PastRows
  release?(): void
}

/** Thrown by a read of a row that has to be fetched first. It is no error, and has no stack, because thousands of them are thrown for a list. */
class MissingRow {
  readonly message = "a row of the past was read that had not been fetched"
  readonly request: PastRequest
  /** Fetches the row into the cache. */
  readonly fetch: () => Promise<unknown>

  constructor(request: PastRequest, fetch: () => Promise<unknown>) {
    this.request = request
    this.fetch = fetch
  }
}

/** Does something that may read rows of the past, such as executing a block, again each time that a row which it needs was fetched. */
export async function withPastRows(work: () => void): Promise<void> {
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      if (!(error instanceof MissingRow)) throw error
      await error.fetch()
    }
  }
}

/** The rows that were fetched for one computation, by the keys of their requests, and the size of its first pages. */
interface Fetched {
  readonly rows: Map<string, Found>
  readonly firstPage: number
}

/** One computation of several: its rows, and its outcome as soon as it has all of them. */
interface Computation<R> {
  readonly fetched: Fetched
  run(): R
  outcome?: { readonly value: R } | { readonly error: unknown }
}

/** The state of a read server at one block: the current state from memory, the rest from the database. */
export class PastView implements Snapshot {
  readonly hasIndexes = true
  readonly #options: PastViewOptions
  readonly #fetched: Fetched | undefined

  constructor(options: PastViewOptions, fetched?: Fetched) {
    this.#options = options
    this.#fetched = fetched
  }

  release(): void {
    this.#options.release?.()
  }

  get<K, V>(table: Table<K, V> | IndexTable<K, V>, key: K): V | undefined {
    const { memory, memoryTables, past } = this.#options
    if (memoryTables.has(table)) {
      const found = memory.get(table, key)
      // The transactions of stakers are in memory, all others in the database.
      if (found !== undefined || (table as AnyTable) !== tables.txs) return found
    }
    const found = this.#find({ table, wanted: table.key.toText(key) })
    return "absentAt" in found ? undefined : (past.valueOf(found as DatabaseRow) as V)
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    if (this.#options.memoryTables.has(table)) return this.#options.memory.first(table)
    for (const row of this.rows(table)) return row
    return undefined
  }

  rows<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<readonly [K, V]> {
    return isInMemory(table, this.#options) ? this.#options.memory.rows(table, range) : this.#pastRows(table, range)
  }

  past(pace: ChargedPace): PastReader {
    return new PublishedPast(this.#options, pace)
  }

  #find(request: PastRequest): Found {
    const { past } = this.#options
    const found = this.#fetched?.rows.get(requestKey(request)) ?? past.cached(request, pointOf(this.#options.memory))
    if (found) return found
    throw new MissingRow(request, () => past.load([request], pointOf(this.#options.memory)))
  }

  *#pastRows<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K>): Iterable<readonly [K, V]> {
    const { prefix, from } = textRange(table.key, range)
    let start = from
    for (let limit = this.#fetched?.firstPage ?? FIRST_PAGE; ; limit = Math.min(limit * 4, LAST_PAGE)) {
      const { rows, isLast } = this.#find({ table, wanted: { prefix, from: start, limit } }) as Page
      for (const row of rows) yield [table.key.fromText(row.keyText), this.#options.past.valueOf(row) as V]
      if (isLast) return
      start = `${rows.at(-1)?.keyText}00`
    }
  }
}

/** Returns whether all rows of a table are in memory. Of the transactions only those of stakers are. */
const isInMemory = (table: AnyTable, { memoryTables }: PastViewOptions): boolean =>
  table !== tables.txs && memoryTables.has(table)

/** Returns the last accepted block of a state, at which the rows of the past are read. */
function pointOf(memory: IndexedView): ReadPoint {
  const last = memory.get(tables.lastAccepted, null)
  if (!last) throw new Error("the state has no last accepted block")
  return last
}

/**
 * Reads the past rows of a read server. A computation runs on rows that were fetched for it. If one is missing, it is fetched together with
 * those that other computations miss, and the computation runs again.
 */
class PublishedPast implements PastReader {
  readonly #options: PastViewOptions
  readonly #pace: ChargedPace

  constructor(options: PastViewOptions, pace: ChargedPace) {
    this.#options = options
    this.#pace = pace
  }

  async read<T>(compute: (view: IndexedView) => T): Promise<T> {
    const [value] = await this.each([null], compute)
    return value as T
  }

  async each<T, R>(
    items: readonly T[],
    compute: (view: IndexedView, item: T) => R,
    isLast?: (value: R) => boolean,
  ): Promise<R[]> {
    const values: R[] = []
    const computations = items.map((item): Computation<R> => {
      const fetched = { rows: new Map<string, Found>(), firstPage: FIRST_PAGE }
      const view = new PastView(this.#options, fetched)
      return { fetched, run: () => compute(view, item) }
    })
    while (values.length < computations.length) {
      await this.#advance(computations.slice(values.length))
      for (const { outcome } of computations.slice(values.length)) {
        if (!outcome) break
        if ("error" in outcome) throw outcome.error
        values.push(outcome.value)
        if (isLast?.(outcome.value)) return values
      }
    }
    return values
  }

  async merged<K, V>(lists: MergedLists<K, V>): Promise<(readonly [K, V])[]> {
    const { table, ranges, limit } = lists
    if (isInMemory(table, this.#options)) return [...firstMerged(this.#options.memory, lists)]
    // Of many lists each is likely to have only a part of the rows.
    const firstPage = Math.min(Math.max(Math.ceil((2 * (limit + 1)) / ranges.length), FIRST_PAGE), limit + 1, LAST_PAGE)
    const fetched = { rows: new Map<string, Found>(), firstPage }
    const view = new PastView(this.#options, fetched)
    const firsts = ranges.map((range) => ({ table, wanted: { ...textRange(table.key, range), limit: firstPage } }))
    await this.#fetch(
      new Map([[fetched, firsts.filter((request) => !this.#options.past.cached(request, pointOf(this.#options.memory)))]]),
    )
    const computation: Computation<(readonly [K, V])[]> = { fetched, run: () => [...firstMerged(view, lists)] }
    while (!computation.outcome) await this.#advance([computation])
    if ("error" in computation.outcome) throw computation.outcome.error
    return computation.outcome.value
  }

  /** Runs computations that have no outcome yet, and fetches the row that each of them misses. */
  async #advance<R>(computations: readonly Computation<R>[]): Promise<void> {
    const missing = new Map<Fetched, PastRequest[]>()
    for (const computation of computations) {
      if (computation.outcome) continue
      try {
        computation.outcome = { value: computation.run() }
      } catch (error) {
        if (error instanceof MissingRow) missing.set(computation.fetched, [error.request])
        else computation.outcome = { error }
      }
      // A computation that has ended needs its rows no longer.
      if (computation.outcome) computation.fetched.rows.clear()
      if (this.#pace.isDue) await this.#pace.pause()
    }
    if (missing.size > 0) await this.#fetch(missing)
  }

  async #fetch(missing: ReadonlyMap<Fetched, readonly PastRequest[]>): Promise<void> {
    const { past, memory } = this.#options
    const requests = [...missing.values()].flat()
    if (requests.length === 0) return
    const { found, milliseconds } = await this.#pace.wait(past.load(requests, pointOf(memory)))
    this.#pace.charge(milliseconds)
    for (const [{ rows }, wanted] of missing) {
      for (const key of wanted.map(requestKey)) {
        const each = found.get(key)
        if (each) rows.set(key, each)
      }
    }
  }
}
