import { readFileSync } from "node:fs"
import { join } from "node:path"
import { OWNER_FILE } from "../../files/ownerOnly.js"
import { storeError } from "../errors.js"
import { LOCK_FILE } from "./holderNote.js"
import type { LmdbStats, LmdbTable } from "./lmdbTable.js"
import type { Environment } from "./openRoot.js"
import { type StoreFiles, writeAll } from "./storeFiles.js"

/** Address space for the file of a store, bytes. LMDB maps the file again when it grows beyond. */
const USUAL_MAP = 2 ** 36
/** The minimum of address space that a process needs besides its stores, bytes. Without it a signal ends the process. */
const LEAST_ADDRESSES = 2 ** 28
/** Free bytes below which the space of a commit is tried before the commit is written. */
const SCARCE = 1 << 24
const PIECE = new Uint8Array(1 << 20)

/** Reads a file of Linux about this process; empty on other systems. */
function procFile(name: string): string {
  try {
    return readFileSync(`/proc/self/${name}`, "utf8")
  } catch {
    return ""
  }
}

/** Returns the address space that this process may still use, bytes, if the system limits it (`ulimit -v`). */
export function freeAddresses(limits = procFile("limits"), status = procFile("status")): number {
  const limit = /^Max address space +(\d+)/m.exec(limits)?.[1]
  const used = Number(/^VmSize:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit) - used
}

/** Returns the address space for the file of a new connection. Throws `store.too_many_open` if too little is left. */
export function mapSizeFor(dir: string, free = freeAddresses()): number {
  if (free < LEAST_ADDRESSES) throw storeError("store.too_many_open", { dir })
  return Math.min(USUAL_MAP, Math.floor(free / 4))
}

/** Throws `store.full` if the file cannot have this many bytes. LMDB maps twice the size of a file that outgrows its map. */
export function requireAddresses(
  { dir, mapSize, isFixed }: Pick<Environment, "dir" | "mapSize" | "isFixed">,
  bytes: number,
): void {
  if (bytes <= mapSize || (!isFixed && freeAddresses() >= 2 * bytes + LEAST_ADDRESSES)) return
  throw storeError("store.full", { dir, maxBytes: mapSize })
}

/** The size of a change of a table. */
export interface TableChange {
  readonly table: { readonly stats: Pick<LmdbStats, "treeDepth" | "treeBranchPageCount" | "treeLeafPageCount"> }
  readonly rows: { readonly length: number }
  /** The bytes of all values. */
  readonly bytes: number
}

/** The changed rows of a table, in the order of their keys. */
export interface EncodedRows extends TableChange {
  readonly table: LmdbTable
  /** A deleted row has no value. */
  readonly rows: readonly { readonly key: string; readonly value: Uint8Array | undefined }[]
}

/**
 * Returns the bytes that a commit can add to the file at most. LMDB changes no page in place: it writes a new page for every leaf with a
 * changed row and for every branch above it, and in the worst case no free page can be used again.
 */
export function commitBytes(changes: readonly TableChange[], pageSize: number): number {
  // Those of the list of tables, and of the tree of free pages.
  let pages = 8
  for (const { table, rows: changed, bytes } of changes) {
    const rows = changed.length
    const { treeLeafPageCount, treeBranchPageCount, treeDepth } = table.stats
    pages += Math.min(rows, treeLeafPageCount) + Math.min(rows * Math.max(treeDepth - 1, 0), treeBranchPageCount)
    // A row has 80 bytes besides its value. Full pages are split into halves.
    pages += Math.ceil((2 * (80 * rows + bytes)) / pageSize)
  }
  return pages * pageSize
}

/**
 * Checks that a commit can be written before LMDB begins to write it. If a page cannot be written, lmdb 3.5.6 may overrun a buffer of its
 * own, that of the message about it, and then the process can no longer be trusted. So the store first writes
 * to a file of its own: one byte, which detects a disk that fails or has become read-only, and if space is scarce as many bytes as the commit
 * may need, at the same place, which detects a full disk and a limit of the file's size.
 */
export class DiskRoom {
  readonly #files: StoreFiles
  readonly #dir: string
  readonly #path: string
  readonly #handle: number
  readonly #isLimited = !/^Max file size +unlimited/m.test(procFile("limits") || "Max file size unlimited")

  constructor(dir: string, files: StoreFiles) {
    this.#files = files
    this.#dir = dir
    this.#path = join(dir, `${LOCK_FILE}.room`)
    this.#handle = files.open(this.#path, "w", OWNER_FILE)
  }

  /** Throws the system's error if the data file cannot grow from `used` by this many bytes. */
  require(used: number, bytes: number): void {
    writeAll(this.#files, this.#handle, PIECE.subarray(0, 1), 0)
    if (!this.#isLimited && this.#files.freeBytes(this.#dir) >= bytes + SCARCE) return
    try {
      for (let at = 0; at < bytes; at += PIECE.length) {
        writeAll(this.#files, this.#handle, PIECE.subarray(0, Math.min(PIECE.length, bytes - at)), used + at)
      }
    } finally {
      this.#files.truncate(this.#handle)
    }
  }

  close(): void {
    this.#files.close(this.#handle)
    try {
      this.#files.remove(this.#path)
    } catch {
      // The next process uses the file again.
    }
  }
}
