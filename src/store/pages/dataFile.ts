import { join } from "node:path"
import { OWNER_FILE } from "../../files/ownerOnly.js"
import { storeError } from "../errors.js"
import { LOCK_FILE } from "../holderNote.js"
import { META_DATABASE } from "../lmdbMeta.js"
import { PageFile } from "../pageFile.js"
import { type StoreFiles, syncDirectory, writeNewFile } from "../storeFiles.js"
import { emptyFile, isLmdbFile, type MetaPage, newestMeta } from "./metaPages.js"
import type { OnPage } from "./pageClaims.js"
import { PageFault } from "./pageNodes.js"
import { tableNames, walkBranches, walkPages } from "./pageWalk.js"

/** The file with the rows. */
export const DATA_FILE = "data.mdb"

/** Attempts to read a file that changes while it is read. */
const ATTEMPTS = 20

/** The minimum size of a file that can be recognised as one of LMDB's, bytes. */
const MARKED_BYTES = 32

/**
 * The part of a data file that is read. `ends` has its meta pages and the list of its tables; `branches` has all pages that lead to other
 * pages.
 */
export type Depth = "ends" | "branches" | "whole"

/**
 * Checks a data file before LMDB maps it. LMDB checks little, and a signal ends the process if a page is missing or malformed. Throws
 * `store.foreign`, `store.truncated`, `store.damaged`.
 */
export function checkDataFile(dir: string, depth: Depth, onPage?: OnPage): void {
  const file = new PageFile(join(dir, DATA_FILE))
  try {
    checkMark(file, dir)
    for (let attempt = 1; ; attempt++) {
      const meta = newestMeta(file)
      const fault = "fault" in meta ? meta.fault : faultIn(file, meta, depth, onPage)
      if (fault === undefined) return
      // Another process may be writing, so the pages that were read may belong to two commits.
      if (attempt < ATTEMPTS && hasChanged(file, meta)) continue
      throw storeError(isTruncated(file, meta) ? "store.truncated" : "store.damaged", { dir, file: DATA_FILE, fault })
    }
  } finally {
    file.close()
  }
}

/** Checks all pages of one commit, which no process may overwrite meanwhile. Returns false if that commit is no longer the newest. */
export function checkPagesOf(dir: string, transaction: bigint, depth: Depth, onPage?: OnPage): boolean {
  const file = new PageFile(join(dir, DATA_FILE))
  try {
    const meta = newestMeta(file)
    if ("fault" in meta) throw storeError("store.damaged", { dir, file: DATA_FILE, fault: meta.fault })
    if (meta.transaction !== transaction) return false
    const fault = faultIn(file, meta, depth, onPage)
    if (fault !== undefined) throw storeError("store.damaged", { dir, file: DATA_FILE, fault })
    return true
  } finally {
    file.close()
  }
}

/** Checks that the file is one of LMDB's. */
function checkMark(file: PageFile, dir: string): void {
  if (file.bytes < MARKED_BYTES) throw storeError("store.truncated", { dir, file: DATA_FILE, bytes: file.bytes })
  if (isLmdbFile(file)) {
    const meta = newestMeta(file)
    if ("fault" in meta) return
    const names = namesIn(file, meta)
    if (names.length > 0 && !names.includes(META_DATABASE)) throw storeError("store.foreign", { dir })
    return
  }
  const isHalfLmdb = [4096, 16_384].some((at) => file.read(at + 24, 8).equals(Buffer.from("dec0efbe02000000", "hex")))
  if (isHalfLmdb) throw storeError("store.damaged", { dir, file: DATA_FILE, fault: "the first meta page is none" })
  throw storeError("store.foreign", { dir })
}

/** Returns the tables' names; none if the list itself is damaged, which is found later. */
function namesIn(file: PageFile, meta: MetaPage): readonly string[] {
  try {
    return tableNames(file, meta)
  } catch (error) {
    if (!(error instanceof PageFault)) throw error
    return []
  }
}

function faultIn(file: PageFile, meta: MetaPage, depth: Depth, onPage: OnPage | undefined): string | undefined {
  try {
    // The last pages may be free and therefore missing, which only a walk over the tree can find out.
    if (depth === "whole" || isTruncated(file, meta)) walkPages(file, meta, onPage)
    else if (depth === "branches") walkBranches(file, meta)
    else tableNames(file, meta)
    return undefined
  } catch (error) {
    if (error instanceof PageFault) return error.message
    throw error
  }
}

function isTruncated(file: PageFile, meta: MetaPage | { readonly fault: string }): boolean {
  return "fault" in meta ? file.bytes < 8192 : BigInt(file.bytes) < (meta.lastPage + 1n) * BigInt(meta.pageSize)
}

function hasChanged(file: PageFile, meta: MetaPage | { readonly fault: string }): boolean {
  const now = newestMeta(file)
  return "fault" in meta || "fault" in now || now.transaction !== meta.transaction
}

/**
 * Makes a new, empty data file beside its place and links it there, so that no process ever sees a partial one. An empty or truncated file
 * is therefore damaged, and never becomes a new chain. The store is locked.
 */
export function makeDataFile(dir: string, files: StoreFiles): void {
  const path = join(dir, `${LOCK_FILE}.${process.pid}.new`)
  files.remove(path)
  try {
    writeNewFile(files, path, emptyFile(), OWNER_FILE)
    files.rename(path, join(dir, DATA_FILE))
    syncDirectory(files, dir)
  } finally {
    files.remove(path)
  }
}
