import type { AnyTable } from "../core/state/table.js"
import type { Edits, IndexedView, Snapshot } from "../core/state/view.js"
import type { BackupOptions } from "./maintenance/backup.js"
import type { Meta, MetaChanges } from "./meta.js"

/** Options of a commit, written in the same transaction as the rows. */
export interface CommitOptions {
  readonly meta?: MetaChanges
  /** Replaces the rows of all tables except `tablesBesideChain`. Deletes all dev snapshots. */
  readonly replaceAll?: boolean
  /** Tables that are cleared first. Their rows are not read, because another version may have written them. Deletes all dev snapshots. */
  readonly clearTables?: readonly AnyTable[]
}

export interface LoadOptions {
  /** Tables whose rows stay. Those of all others are deleted. */
  readonly keeps?: readonly AnyTable[]
  /** Looks at the new rows after all were read, before they replace the others. If it throws, nothing has changed. */
  readonly check?: (loaded: IndexedView) => void | Promise<void>
  /** Returns meta values for the same transaction. It is called after all rows were read and checked. */
  readonly meta?: () => MetaChanges
}

export interface Statistics {
  /** The size on the disk, bytes; 0 for a store in memory. */
  readonly bytes: number
  readonly rows: Readonly<Record<string, number>>
}

export interface StoreTables {
  /** Every table whose rows may be committed; the tables of their indexes are included. By default all tables of the chain. */
  readonly tables?: readonly AnyTable[]
  /** Further tables, whose rows survive `revert` and a commit with `replaceAll`, because they do not belong to the chain. */
  readonly tablesBesideChain?: readonly AnyTable[]
}

/** A store of rows. It knows tables, but not the meaning of their rows. */
export interface Store {
  /** The latest rows at the moment of each read. An iteration shows the rows of the moment at which it began. */
  readonly latest: IndexedView
  /** Error of the last commit; `undefined` once a commit has succeeded. */
  readonly failure: Error | undefined
  /** Returns a number that changes with every commit, of this process or another. */
  version(): number
  view(): Snapshot
  /** Writes rows, their indexes and meta values atomically. If the store is on the disk, the commit is durable on return, unless it is one that is flushed when it is closed. */
  commit(edits: Edits, options?: CommitOptions): void
  /** Resolves when the load that is in progress has ended; `undefined` if there is none. */
  readonly busy: Promise<void> | undefined
  /**
   * Replaces all rows by the rows of these parts atomically. No row may occur twice. Other work runs while the next part is awaited, and
   * reads the previous state; commits are refused meanwhile (`store.busy`). Deletes all dev snapshots.
   */
  load(parts: AsyncIterable<Edits>, options?: LoadOptions): Promise<void>
  getMeta<N extends keyof Meta>(name: N): Meta[N] | undefined
  putMeta(changes: MetaChanges): void
  /** Marks the present state for `revert`, as long as the store is open. Returns the number of the snapshot. */
  snapshot(): number
  /** Restores the rows of a snapshot. The snapshot can be used again; later ones are deleted. Throws `store.unknown_snapshot`. */
  revert(snapshot: number, meta?: MetaChanges): void
  /** Deletes a snapshot. The others stay. */
  dropSnapshot(snapshot: number): void
  /** The numbers of the snapshots, oldest first. */
  readonly snapshots: readonly number[]
  statistics(): Statistics
  /** Reads all rows with LMDB in a child process. Throws `store.damaged` if a row cannot be read, or if a signal ends that process. */
  checkFile(): void
  /** Rebuilds the index tables from the rows that they list. Until it has ended, the store cannot be opened for anything else. */
  rebuildIndexes(onPart?: (done: number, of: number) => void): void
  /** Writes a consistent copy that can be opened as a store, while this one continues. Throws `store.backup_exists`. */
  backup(dir: string, options?: BackupOptions): Promise<void>
  close(): Promise<void>
}
