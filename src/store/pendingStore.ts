import { NotYet } from "../core/lib/notYet.js"
import type { Range } from "../core/state/range.js"
import type { Snapshot } from "../core/state/snapshot.js"
import type { AnyTable, IndexTable, Table } from "../core/state/table.js"
import type { Edits, IndexedView } from "../core/state/view.js"
import type { BackupOptions } from "./backup.js"
import { storeError } from "./errors.js"
import { MemoryStore } from "./memoryStore.js"
import type { Meta, MetaChanges } from "./meta.js"
import type { CommitOptions, LoadOptions, Statistics, Store, StoreTables } from "./store.js"

/** The first rows of an empty store. */
export interface FirstRows {
  /** Rows that can be read before they are written. */
  readonly shown: Edits
  /** Tables that lack rows until all are written. Reading one of them throws `NotYet`. */
  readonly lacking: ReadonlySet<AnyTable>
  readonly meta: MetaChanges
}

interface PendingRows extends FirstRows {
  readonly rows: MemoryStore
  readonly written: Promise<void>
  /** Settles when `lacking` may have become smaller. */
  readonly more: Promise<void>
  end(error?: unknown): void
}

/**
 * A store that shows its first rows before they are written, so that a node with a large genesis can answer at once. `write` writes them in one
 * transaction: a process that is killed before has written nothing.
 */
export class PendingStore implements Store {
  readonly latest: IndexedView
  readonly #store: Store
  readonly #tables: StoreTables
  readonly #views = new Set<PendingView>()
  #pending: PendingRows | undefined
  #showMore = () => {}
  #isAbandoned = false
  #isClosing = false

  constructor(store: Store, tables: StoreTables) {
    this.#store = store
    this.#tables = tables
    this.latest = new PendingView(
      () => this.#pending,
      () => store.latest,
    )
  }

  /** Shows rows until `write` has ended. */
  show(first: FirstRows): void {
    const rows = new MemoryStore(this.#tables)
    rows.commit(first.shown)
    const { promise: written, settle: end } = deferred()
    const { promise: shown, settle } = deferred()
    this.#showMore = settle
    this.#pending = { ...first, rows, written, more: Promise.race([written, shown]), end }
    this.#pending.more.catch(() => {})
  }

  /** Shows further rows, after which only the tables in `lacking` lack some. */
  showMore(edits: Edits, lacking: ReadonlySet<AnyTable>): void {
    const pending = this.#requirePending()
    pending.rows.commit(edits)
    this.#pending = { ...pending, lacking, more: pending.written }
    this.#showMore()
  }

  /** Resolves when the first rows are written, and rejects if they will not be; `undefined` if none are pending. */
  get written(): Promise<void> | undefined {
    return this.#pending?.written
  }

  /** Abandons the write. Calls that wait for the rows fail. */
  abandon(reason: unknown): void {
    this.#isAbandoned = true
    this.#pending?.end(reason)
  }

  /** Writes all rows in one transaction; `rest` lets other work run between two parts. Fails if the store is closed before the end. */
  async write(all: Promise<Edits>, rest: () => Promise<void>): Promise<void> {
    const pending = this.#requirePending()
    const restOrEnd = async () => {
      await rest()
      if (this.#isClosing) throw storeError("store.busy")
    }
    try {
      const edits = await all
      await restOrEnd()
      await this.#store.commitInSteps(edits, restOrEnd, pending.meta)
      this.#pending = undefined
      // All views show the moment of the first rows, even if later rows arrive.
      for (const view of this.#views) view.moveTo(this.#store.view())
      pending.end()
    } catch (error) {
      this.abandon(error)
      throw error
    }
  }

  get failure(): Error | undefined {
    return this.#store.failure
  }

  version(): number {
    return this.#store.version()
  }

  view(): Snapshot {
    if (!this.#pending) return this.#store.view()
    const view = new PendingView(
      () => this.#pending,
      () => this.#store.view(),
      () => this.#views.delete(view),
    )
    this.#views.add(view)
    return view
  }

  get busy(): Promise<void> | undefined {
    return this.#pending && !this.#isAbandoned ? this.#pending.written.catch(() => {}) : this.#store.busy
  }

  commit(edits: Edits, options?: CommitOptions): void {
    this.#settled().commit(edits, options)
  }

  commitInSteps(edits: Edits, rest: () => Promise<void>, meta?: MetaChanges): Promise<void> {
    return this.#settled().commitInSteps(edits, rest, meta)
  }

  load(parts: AsyncIterable<Edits>, options?: LoadOptions): Promise<void> {
    return this.#settled().load(parts, options)
  }

  getMeta<N extends keyof Meta>(name: N): Meta[N] | undefined {
    const { meta = {} } = this.#pending ?? {}
    return name in meta ? (meta[name] as Meta[N] | undefined) : this.#store.getMeta(name)
  }

  putMeta(changes: MetaChanges): void {
    this.#settled().putMeta(changes)
  }

  snapshot(): number {
    return this.#settled().snapshot()
  }

  revert(snapshot: number, meta?: MetaChanges): void {
    this.#settled().revert(snapshot, meta)
  }

  dropSnapshot(snapshot: number): void {
    this.#store.dropSnapshot(snapshot)
  }

  get snapshots(): readonly number[] {
    return this.#store.snapshots
  }

  statistics(): Statistics {
    return this.#store.statistics()
  }

  checkPages(onPage?: () => void): void {
    this.#store.checkPages(onPage)
  }

  rebuildIndexes(onPart?: (done: number, of: number) => void): void {
    this.#settled().rebuildIndexes(onPart)
  }

  backup(dir: string, options?: BackupOptions): Promise<void> {
    return this.#settled().backup(dir, options)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#store.close()
  }

  /** Returns the store itself. Throws `store.busy` as long as its first rows are not written. */
  #settled(): Store {
    if (this.#pending) throw storeError("store.busy")
    return this.#store
  }

  #requirePending(): PendingRows {
    if (!this.#pending) throw new Error("no rows are pending")
    return this.#pending
  }
}

/** Makes a promise and the function that settles it. */
function deferred(): { readonly promise: Promise<void>; settle(error?: unknown): void } {
  let settle: (error?: unknown) => void = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error))
  })
  // Callers that need it await it.
  promise.catch(() => {})
  return { promise, settle: (error) => settle(error) }
}

/** Shows the first rows while they are pending, and then those of the store. */
class PendingView implements Snapshot {
  readonly hasIndexes = true
  readonly #pendingOf: () => PendingRows | undefined
  readonly #open: () => IndexedView
  readonly #onRelease: () => void
  #moved: Snapshot | undefined

  constructor(pendingOf: () => PendingRows | undefined, open: () => IndexedView, onRelease: () => void = () => {}) {
    this.#pendingOf = pendingOf
    this.#open = open
    this.#onRelease = onRelease
  }

  moveTo(view: Snapshot): void {
    this.#moved = view
  }

  release(): void {
    this.#onRelease()
    this.#moved?.release()
  }

  get<K, V>(table: Table<K, V> | IndexTable<K, V>, key: K): V | undefined {
    return this.#of(table).get(table, key)
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    return this.#of(table).first(table)
  }

  rows<K, V>(table: Table<K, V> | IndexTable<K, V>, range?: Range<K>): Iterable<readonly [K, V]> {
    return this.#of(table).rows(table, range)
  }

  values<K, V>(table: Table<K, V> | IndexTable<K, V>, range?: Range<K>): Iterable<V> {
    return this.#of(table).values(table, range)
  }

  #of(table: AnyTable): IndexedView {
    const pending = this.#pendingOf()
    if (!pending) return this.#moved ?? this.#open()
    if (pending.lacking.has(table)) throw new NotYet(pending.more)
    return pending.rows.latest
  }
}
