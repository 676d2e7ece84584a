import type { AnyTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import type { Edit, Edits, IndexedView, Snapshot } from "../../core/state/view.js"
import type { ID } from "../../core/types/id.js"
import { MemoryStore } from "../../store/memory/memoryStore.js"
import type { Meta, MetaChanges } from "../../store/meta.js"
import type { CommitOptions, LoadOptions, Statistics, Store } from "../../store/store.js"
import type { PastRows } from "./pastRows.js"
import { PastView } from "./pastView.js"

export interface ReadStoreOptions {
  /** The tables of the current state, without transactions. */
  readonly currentTables: readonly AnyTable[]
  /** Tables that do not belong to the chain, such as the keystore's. */
  readonly tablesBesideChain: readonly AnyTable[]
  readonly past: PastRows
}

const stakerTables = [tables.currentStakers, tables.pendingStakers] as const

/**
 * The store of a read server: the current state in memory, with the transactions of its stakers, and everything else in the database.
 * Commits to tables that are in the database are dropped, because the publisher writes them there.
 */
export class ReadStore implements Store {
  readonly #memory: MemoryStore
  readonly #past: PastRows
  readonly #inMemory: ReadonlySet<AnyTable>
  readonly #committed: ReadonlySet<AnyTable>
  readonly latest: IndexedView

  constructor({ currentTables, tablesBesideChain, past }: ReadStoreOptions) {
    const own = [...currentTables, tables.txs]
    this.#memory = new MemoryStore({ tables: own, tablesBesideChain })
    this.#past = past
    this.#committed = new Set([...own, ...tablesBesideChain])
    this.#inMemory = new Set([...this.#committed].flatMap((table) => [table, ...table.indexes.map((index) => index.table)]))
    this.latest = this.#viewOf(this.#memory.latest)
  }

  readonly failure = undefined

  version(): number {
    return this.#memory.version()
  }

  view(): Snapshot {
    const memory = this.#memory.view()
    return this.#viewOf(memory, () => memory.release())
  }

  commit(edits: Edits, options?: CommitOptions): void {
    this.#memory.commit(this.#kept(edits), options)
  }

  get busy(): Promise<void> | undefined {
    return this.#memory.busy
  }

  load(parts: AsyncIterable<Edits>, options?: LoadOptions): Promise<void> {
    return this.#memory.load(parts, options)
  }

  getMeta<N extends keyof Meta>(name: N): Meta[N] | undefined {
    return this.#memory.getMeta(name)
  }

  putMeta(changes: MetaChanges): void {
    this.#memory.putMeta(changes)
  }

  snapshot(): number {
    return this.#memory.snapshot()
  }

  revert(snapshot: number, meta?: MetaChanges): void {
    this.#memory.revert(snapshot, meta)
  }

  dropSnapshot(snapshot: number): void {
    this.#memory.dropSnapshot(snapshot)
  }

  get snapshots(): readonly number[] {
    return this.#memory.snapshots
  }

  statistics(): Statistics {
    return this.#memory.statistics()
  }

  checkFile(): void {}

  rebuildIndexes(): void {}

  backup(): Promise<void> {
    throw new Error("a read server has no store of its own to copy")
  }

  async close(): Promise<void> {
    await this.#memory.close()
  }

  #viewOf(memory: IndexedView, release?: () => void): PastView {
    return new PastView({ memory, memoryTables: this.#inMemory, past: this.#past, ...(release ? { release } : {}) })
  }

  /** Returns the changes of the tables in memory; of the transactions only those of stakers that join or leave. */
  #kept(edits: Edits): Edits {
    const kept = new Map([...edits].filter(([table]) => table !== tables.txs && this.#committed.has(table)))
    const txs = stakerTxs(edits)
    if (txs.size > 0) kept.set(tables.txs, txs)
    return kept
  }
}

function stakerTxs(edits: Edits): ReadonlyMap<string, Edit> {
  const [came, left] = [new Set<ID>(), new Set<ID>()]
  for (const table of stakerTables) {
    for (const [text, { value }] of edits.get(table) ?? []) (value === undefined ? left : came).add(table.key.fromText(text).txID)
  }
  const changes = new Map<string, Edit>()
  for (const txID of left) if (!came.has(txID)) changes.set(txID, { value: undefined, isNew: false })
  for (const txID of came) {
    const row = edits.get(tables.txs)?.get(txID)
    if (row?.value !== undefined) changes.set(txID, row)
  }
  return changes
}
