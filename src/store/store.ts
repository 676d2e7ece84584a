import type { Snapshot } from "../core/state/snapshot.js"
import type { AnyTable } from "../core/state/table.js"
import type { Edits, IndexedView } from "../core/state/view.js"
import type { BackupOptions } from "./backup.js"
import type { Meta, MetaChanges } from "./meta.js"

/** Options of a commit, written in the same transaction as the rows. */
export interface CommitOptions {
  readonly meta?: MetaChanges
  /** Replaces the rows of all tables except `tablesBesideChain`. Deletes all dev snapshots. */
  readonly replaceAll?: boolean
  /** Tables that are cleared first. Their rows are not read, since another version may have written them. Deletes all dev snapshots. */
  readonly clearTables?: readonly AnyTable[]
}

/** Options of loading rows. */
export interface LoadOptions {
  /** Tables whose rows stay; those of all others go. */
  readonly keeps?: readonly AnyTable[]
  /** Small values that go into the same transaction; asked for when all rows are there. */
  readonly meta?: () => MetaChanges
}

/** Sizes of a store. */
export interface Statistics {
  /** Bytes on the disk; none for a store in memory. */
  readonly bytes: number
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
}

/** Tables of a store. */
export interface StoreTables {
  /** Every table whose rows may be committed; the tables of their indexes come along. All of the chain's by default. */
  readonly tables?: readonly AnyTable[]
  /** Further tables, whose rows survive `revert` and a commit with `replaceAll`: they do not belong to the chain. */
  readonly tablesBesideChain?: readonly AnyTable[]
}

/** Store of rows. It knows tables, and nothing of their meaning. */
export interface Store {
  /** Latest rows at the moment of each read. An iteration shows the rows of the moment at which it began. */
  readonly latest: IndexedView
  /** Error of the last commit; `undefined` once a commit has succeeded. */
  readonly failure: Error | undefined
  /** A number that changes with every commit, of this process or another. */
  version(): number
  /** The rows as they are now, whatever is committed later. */
  view(): Snapshot
  /** Writes rows, the indexes over them and small values, all or nothing; durable on return where the store is durable at all. */
  commit(edits: Edits, options?: CommitOptions): void
  /**
   * Writes many rows like `commit`, part by part. `rest` is called between two parts and lets other work run, which reads what was there
   * before; other commits are refused meanwhile (`store.busy`).
   */
  commitInSteps(edits: Edits, rest: () => Promise<void>, meta?: MetaChanges): Promise<void>
  /** Resolves when the load or the commit in steps that is under way has ended; undefined if none is. */
  readonly busy: Promise<void> | undefined
  /**
   * Puts the rows of these parts in the place of all there are, all or nothing; no row may come twice. Others have their turn while the next
   * part is awaited, and read what was there before; commits are refused meanwhile (`store.busy`). Dev snapshots die.
   */
  load(parts: AsyncIterable<Edits>, options?: LoadOptions): Promise<void>
  getMeta<N extends keyof Meta>(name: N): Meta[N] | undefined
  putMeta(changes: MetaChanges): void
  /** Marks the present state, to come back to; lives as long as the store is open. Its number. */
  snapshot(): number
  /** Puts the rows back to what they were at a snapshot. It may be used again; later ones die. Throws `store.unknown_snapshot`. */
  revert(snapshot: number, meta?: MetaChanges): void
  /** Forgets a snapshot; the others stay. */
  dropSnapshot(snapshot: number): void
  /** The numbers of the living snapshots, oldest first. */
  readonly snapshots: readonly number[]
  statistics(): Statistics
  /** Reads every page of the data file as bytes. Throws `store.damaged` where LMDB could not have written it so. */
  checkPages(onPage?: () => void): void
  /** Makes the index tables anew from the rows that they list. Until it has ended, the store cannot be opened for anything else. */
  rebuildIndexes(onPart?: (done: number, of: number) => void): void
  /** Writes a consistent copy that can be opened as a store, while this one goes on. Throws `store.backup_exists`. */
  backup(dir: string, options?: BackupOptions): Promise<void>
  close(): Promise<void>
}
