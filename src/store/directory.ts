import { randomBytes } from "node:crypto"
import { closeSync, existsSync, openSync, readdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { entryKind } from "../files/entryKind.js"
import { makeOwnerDirectory, OWNER_FILE, restrictToOwner } from "../files/ownerOnly.js"
import { DATA_FILE } from "./dataFile.js"
import { storeError } from "./errors.js"
import { LOCK_FILE } from "./holderNote.js"
import { openFailure, readFailure } from "./lmdbFailure.js"
import { type StoreFiles, writeNewFile } from "./storeFiles.js"

/** File of LMDB in which readers are registered. */
export const READERS_FILE = "lock.mdb"
const isOurs = (name: string) => name === DATA_FILE || name === READERS_FILE || name.startsWith(LOCK_FILE)

/** Most bytes that opening writes: with LMDB's first pages and the table of readers, and where those exist already. */
const [NEW_BYTES, OLD_BYTES] = [1 << 17, 1 << 12]

/** Most files that LMDB and the store's own lock open. */
const MOST_HANDLES = 12

/** Options for the preparation of a directory. */
export interface Preparation {
  readonly mustExist: boolean
  readonly readOnly: boolean
  readonly files: StoreFiles
}

/**
 * Makes the directory of a store, or makes sure that it can be one. Throws `store.link` where a link or a special file
 * lies in it, `store.foreign` where it holds something else, `store.missing` where there must be a store and is none,
 * `store.not_readable`, `store.not_writable` and `store.disk_full`.
 *
 * All that could go wrong is looked at here: lmdb 3.5.6 ends the process with a segmentation fault where LMDB refuses
 * to open. Returns the names that the directory held.
 */
export function prepareDirectory(dir: string, { mustExist, readOnly, files }: Preparation): readonly string[] {
  const names = namesIn(dir)
  checkEntries(dir, names)
  const isStore = names.includes(DATA_FILE)
  if (!isStore && !names.every(isOurs)) throw storeError("store.foreign", { dir })
  if (!isStore && mustExist) throw storeError("store.missing", { dir })
  try {
    if (!isStore) makeDirectory(dir)
    if (!readOnly) probe(dir, names.includes(READERS_FILE) ? OLD_BYTES : NEW_BYTES, files)
    checkHandles(readOnly ? join(dir, DATA_FILE) : dir)
    // Where the table of readers cannot be written, LMDB reads without it.
    const used = readOnly ? [DATA_FILE] : [DATA_FILE, READERS_FILE]
    for (const name of used) if (names.includes(name)) checkAccess(join(dir, name), readOnly, files)
  } catch (error) {
    throw readOnly ? readFailure(error, dir) : openFailure(error, dir)
  }
  return names
}

/** Throws `store.dangling` where a link on the way leads nowhere. */
function makeDirectory(dir: string): void {
  for (let above = dir; above !== dirname(above); above = dirname(above)) {
    if (entryKind(above) === "link" && !existsSync(above)) throw storeError("store.dangling", { dir, link: above })
  }
  makeOwnerDirectory(dir)
}

/**
 * Makes sure that all of the directory is plain files, and that it is no link itself. LMDB and the lock write to their
 * files by name, LMDB even when it only reads: through a link in a directory that somebody else made, they would
 * overwrite whatever it leads to.
 */
function checkEntries(dir: string, names: readonly string[]): void {
  checkIsNoLink(dir)
  for (const name of names.filter(isOurs)) {
    const found = entryKind(join(dir, name))
    if (found !== undefined && found !== "file") throw storeError("store.link", { dir, name, found })
  }
}

function checkIsNoLink(dir: string): void {
  if (entryKind(dir) === "link") throw storeError("store.link", { dir, name: basename(dir), found: "link" })
}

/** Leaves the files that opening has made to their owner alone; LMDB makes them readable by everybody. */
export function restrictNewFiles(dir: string, before: readonly string[]): void {
  for (const name of [DATA_FILE, READERS_FILE]) {
    if (!before.includes(name) && entryKind(join(dir, name)) === "file") restrictToOwner(join(dir, name))
  }
}

/** Makes sure that the directory can be written, and has room for what opening writes. */
function probe(dir: string, bytes: number, files: StoreFiles): void {
  const path = join(dir, `${LOCK_FILE}.${randomBytes(6).toString("hex")}.probe`)
  writeNewFile(files, path, new Uint8Array(bytes), OWNER_FILE)
  files.remove(path)
}

/** Removes the files that killed processes have left half written. The store is locked. */
export function removeLeftovers(dir: string, files: StoreFiles): void {
  const isLeftover = (name: string) => name.startsWith(`${LOCK_FILE}.`) && /\.(new|probe)$/.test(name)
  for (const name of namesIn(dir).filter(isLeftover)) files.remove(join(dir, name))
}

/** Makes sure that the process may open as many files as LMDB will. */
function checkHandles(path: string): void {
  const handles: number[] = []
  try {
    while (handles.length < MOST_HANDLES) handles.push(openSync(path, "r"))
  } finally {
    for (const handle of handles) closeSync(handle)
  }
}

/** Makes sure that a file can be opened as LMDB will. */
function checkAccess(path: string, readOnly: boolean, files: StoreFiles): void {
  files.close(files.open(path, readOnly ? "r" : "r+"))
}

/** Makes the directory of a backup. Throws `store.backup_exists` where it is not empty, and `store.link`. */
export function prepareBackup(dir: string): void {
  checkIsNoLink(dir)
  if (namesIn(dir).length > 0) throw storeError("store.backup_exists", { dir })
  try {
    makeOwnerDirectory(dir)
  } catch (error) {
    throw openFailure(error, dir)
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return []
    throw readFailure(error, dir)
  }
}
