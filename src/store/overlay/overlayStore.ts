import type { AnyTable } from "../../core/state/table.js"
import type { Edit, Edits, IndexedView, Snapshot } from "../../core/state/view.js"
import { indexEdits, type OldValue } from "../indexes.js"
import type { BackupOptions } from "../maintenance/backup.js"
import { backupOf } from "../maintenance/copyRows.js"
import type { Meta, MetaChanges } from "../meta.js"
import type { CommitOptions, LoadOptions, Statistics, Store } from "../store.js"
import type { OverlayTable, OverlayTables } from "./overlayView.js"
import { OverlayView } from "./overlayView.js"

export interface OverlayOptions {
  /** The store below. It is only read, in its present state, and closed with the overlay. */
  readonly base: Store
  /** The store of the overlay's own rows, which was opened with the overlay tables and `tablesBesideChain`. */
  readonly own: Store
  readonly overlayTables: OverlayTables
  /** Tables of the chain that are in the overlay alone. */
  readonly tablesAbove?: readonly AnyTable[]
  readonly tablesBesideChain: readonly AnyTable[]
}

/**
 * A store over another store, which is never written: changed rows and deletions are in a store of its own. `tablesAbove` and
 * `tablesBesideChain` are not taken from the base. Tables that are cleared or loaded hide the base's rows from then on.
 */
export class OverlayStore implements Store {
  readonly latest: OverlayView
  readonly #own: Store
  readonly #base: Store
  readonly #below: Snapshot
  readonly #tablesAbove: readonly AnyTable[]
  readonly #tablesBesideChain: readonly AnyTable[]
  readonly #overlayTables: OverlayTables
  #hidden: ReadonlySet<string>

  constructor({ base, own, overlayTables, tablesAbove = [], tablesBesideChain }: OverlayOptions) {
    this.#overlayTables = overlayTables
    this.#tablesAbove = tablesAbove
    this.#tablesBesideChain = tablesBesideChain
    this.#base = base
    this.#below = base.view()
    this.#own = own
    this.#hidden = namesIn(this.#own.getMeta("hiddenTables"))
    this.latest = this.#viewOver(this.#own.latest, () => this.#hidden)
  }

  get failure(): Error | undefined {
    return this.#own.failure
  }

  get busy(): Promise<void> | undefined {
    return this.#own.busy
  }

  get snapshots(): readonly number[] {
    return this.#own.snapshots
  }

  version(): number {
    return this.#own.version()
  }

  view(): OverlayView {
    const own = this.#own.view()
    const hidden = this.#hidden
    return this.#viewOver(
      own,
      () => hidden,
      () => own.release(),
    )
  }

  #viewOver(own: IndexedView, hidden: () => ReadonlySet<string>, release = () => {}): OverlayView {
    const isHidden = ({ name }: AnyTable) => hidden().has(name)
    return new OverlayView({ own, base: this.#below, overlayTables: this.#overlayTables, isHidden, release })
  }

  commit(edits: Edits, { meta = {}, replaceAll = false, clearTables = [] }: CommitOptions = {}): void {
    const cleared = replaceAll ? [...this.#overlayTables.keys()] : clearTables.filter((table) => this.#overlayTables.has(table))
    const hidden = new Set([...this.#hidden, ...cleared.map(({ name }) => name)])
    this.#own.commit(this.#ownEdits(edits, hidden, new Set(cleared)), {
      replaceAll,
      clearTables: clearTables.map((table) => this.#overlayTables.get(table) ?? table),
      meta: cleared.length > 0 ? { ...meta, hiddenTables: textOf(hidden) } : meta,
    })
    this.#hidden = hidden
  }

  async load(parts: AsyncIterable<Edits>, { keeps = [], check, meta = () => ({}) }: LoadOptions = {}): Promise<void> {
    const kept = new Set(keeps)
    const replaced = [...this.#overlayTables.keys()].filter((table) => !kept.has(table))
    const hidden = new Set([...this.#hidden, ...replaced.map(({ name }) => name)])
    const cleared = new Set(replaced)
    const ownParts = async function* (this: OverlayStore) {
      for await (const part of parts) yield this.#ownEdits(part, hidden, cleared)
    }
    await this.#own.load(ownParts.call(this), {
      keeps: keeps.map((table) => this.#overlayTables.get(table) ?? table),
      ...(check ? { check: (own) => check(this.#viewOver(own, () => hidden)) } : {}),
      meta: () => ({ ...meta(), hiddenTables: textOf(hidden) }),
    })
    this.#hidden = hidden
  }

  /**
   * Deletes the overlay's own rows, so that the chain is that of the base again. Snapshots are deleted; `tablesBesideChain` keep their
   * rows.
   */
  returnToBase(meta: MetaChanges): void {
    this.#own.commit(new Map(), { replaceAll: true, meta: { ...meta, hiddenTables: undefined } })
    this.#hidden = new Set()
  }

  getMeta<N extends keyof Meta>(name: N): Meta[N] | undefined {
    return this.#own.getMeta(name)
  }

  putMeta(changes: MetaChanges): void {
    this.#own.putMeta(changes)
  }

  snapshot(): number {
    return this.#own.snapshot()
  }

  revert(snapshot: number, meta?: MetaChanges): void {
    this.#own.revert(snapshot, meta)
  }

  dropSnapshot(snapshot: number): void {
    this.#own.dropSnapshot(snapshot)
  }

  /** Returns the bytes of the overlay alone, and the rows of both. */
  statistics(): Statistics {
    const own = this.#own.statistics()
    const below = this.#base.statistics().rows
    const rows = [...this.#overlayTables].map(([table, overlay]) => {
      const isHidden = this.#hidden.has(table.name)
      return [table.name, (isHidden ? 0 : (below[table.name] ?? 0)) + this.#added(table, overlay)] as const
    })
    return { bytes: own.bytes, rows: { ...own.rows, ...Object.fromEntries(rows) } }
  }

  checkFile(): void {
    this.#own.checkFile()
  }

  rebuildIndexes(): void {
    const edits = new Map<AnyTable, ReadonlyMap<string, Edit>>()
    for (const [table, overlay] of this.#overlayTables) {
      if (!table.isIndex && table.indexes.length > 0) edits.set(table, editsOf(this.#own, overlay))
    }
    const indexes = indexEdits(edits, (table, text) => this.#belowAt(table, text, this.#hidden))
    const rows = new Map([...indexes].map(([table, changes]) => this.#ownTableEdits(table, changes, this.#hidden)))
    const clearTables = [...this.#overlayTables].filter(([table]) => table.isIndex).map(([, overlay]) => overlay)
    this.#own.commit(rows, { clearTables })
  }

  /** Writes the rows of both as one store. */
  backup(dir: string, options: BackupOptions = {}): Promise<void> {
    const tables = [...this.#overlayTables.keys(), ...this.#tablesAbove]
    return backupOf(this, { tables, tablesBesideChain: this.#tablesBesideChain }, dir, options)
  }

  async close(): Promise<void> {
    await this.#own.close()
    this.#below.release()
    await this.#base.close()
  }

  /**
   * Returns the changes of the overlay's own rows and indexes that a commit of these rows makes. The base's rows of the tables in `hidden`
   * are hidden, and all rows of those in `cleared` are deleted first.
   */
  #ownEdits(edits: Edits, hidden: ReadonlySet<string>, cleared: ReadonlySet<AnyTable>): Edits {
    const old: OldValue = (table, text) => (cleared.has(table) ? undefined : this.#at(table, text))
    const all = [...edits, ...indexEdits(edits, old)]
    return new Map(all.map(([table, changes]) => this.#ownTableEdits(table, changes, hidden)))
  }

  #ownTableEdits(
    table: AnyTable,
    changes: ReadonlyMap<string, Edit>,
    hidden: ReadonlySet<string>,
  ): readonly [AnyTable, ReadonlyMap<string, Edit>] {
    const overlay = this.#overlayTables.get(table)
    if (!overlay) return [table, changes]
    const own = new Map<string, Edit>()
    for (const [text, { value }] of changes) {
      // A deletion is recorded only if the base has the row.
      const isGone = value === undefined && this.#belowAt(table, text, hidden) === undefined
      own.set(text, { value: isGone ? undefined : { value }, isNew: false })
    }
    return [overlay, own]
  }

  #at(table: AnyTable, text: string): unknown {
    return this.latest.get(table, table.key.fromText(text))
  }

  #belowAt(table: AnyTable, text: string, hidden: ReadonlySet<string>): unknown {
    return hidden.has(table.name) ? undefined : this.#below.get(table, table.key.fromText(text))
  }

  /** Returns the number of rows that the overlay adds to those of the base; negative if it deletes more. */
  #added(table: AnyTable, overlay: OverlayTable): number {
    let added = 0
    for (const [text, { value }] of editsOf(this.#own, overlay)) {
      added += (value === undefined ? 0 : 1) - (this.#belowAt(table, text, this.#hidden) === undefined ? 0 : 1)
    }
    return added
  }
}

/** Returns the overlay's own rows of a table, as changes of the base. */
function editsOf({ latest }: Store, overlay: OverlayTable): ReadonlyMap<string, Edit> {
  const edits = new Map<string, Edit>()
  for (const [key, { value }] of latest.rows(overlay)) edits.set(overlay.key.toText(key), { value, isNew: false })
  return edits
}

const namesIn = (text: string | undefined): ReadonlySet<string> => new Set(text ? text.split(" ") : [])

const textOf = (names: Iterable<string>): string => [...names].join(" ")
