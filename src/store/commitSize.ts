import type { Growth } from "./diskRoom.js"
import type { LmdbStats, LmdbTable } from "./lmdbTable.js"

/** The maximum size of a row: it seldom takes more than a new leaf, a split one and a branch or two. */
const ROW_BYTES = 4 * 4096
/** Pages of the list of tables, and of the tree of free pages. */
const OWN_PAGES = 8
/** Bytes that a row takes on its page besides its value: its key, and LMDB's own bytes. */
const KEY_BYTES = 80

interface TableGrowth {
  readonly table: LmdbTable
  readonly rows: number
  /** The size of the values that are stored beside their keys. */
  bytes: number
  /** The size of the values that have pages of their own. */
  overflowBytes: number
}

/** Counts the bytes that a commit can add to the file while its rows are written. */
export class CommitSize {
  readonly #tables: TableGrowth[] = []

  /** Starts a table with the number of its rows. */
  begin(table: LmdbTable, rows: number): void {
    this.#tables.push({ table, rows, bytes: 0, overflowBytes: 0 })
  }

  /** Counts a value of the current table, and returns its size. */
  add(size: number): number {
    const last = this.#tables.at(-1) as TableGrowth
    if (size < 1024) last.bytes += size
    else last.overflowBytes += size + 4096
    return size
  }

  /** An upper bound of the commit's size, bytes. */
  get most(): number {
    return this.#tables.reduce(
      (sum, { rows, bytes, overflowBytes }) => sum + rows * ROW_BYTES + 2 * bytes + overflowBytes,
      1 << 20,
    )
  }

  /**
   * Returns the part of the file that the commit may write. LMDB changes no page in place: it writes a new page for every leaf with a
   * changed row and for every branch above it, and in the worst case no free page can be reused.
   */
  exactly({ lastPageNumber, pageSize }: LmdbStats): Growth {
    const pages = this.#tables.reduce((sum, each) => sum + pagesOf(each, pageSize), OWN_PAGES)
    return { used: (lastPageNumber + 1) * pageSize, bytes: pages * pageSize }
  }
}

function pagesOf({ table, rows, bytes, overflowBytes }: TableGrowth, pageSize: number): number {
  const { treeLeafPageCount, treeBranchPageCount, treeDepth } = table.stats
  const copied = Math.min(rows, treeLeafPageCount) + Math.min(rows * Math.max(treeDepth - 1, 0), treeBranchPageCount)
  // Full pages are split into halves.
  const added = Math.ceil((2 * (bytes + rows * KEY_BYTES)) / pageSize)
  return copied + added + Math.ceil(overflowBytes / pageSize)
}
