import type { PackedRows } from "./packedRows.js"
import type { RootOptions } from "./rootOptions.js"

/** A thread that writes the commits of a store. */
export interface CommitThread {
  /** True if the thread can begin at once. */
  readonly isReady: boolean
  /** Writes rows as one transaction. If it fails, the thread has closed LMDB, so that the store can open it again. */
  commit(root: RootOptions, rows: readonly PackedRows[]): Promise<void>
}
