import { closeSync, existsSync, openSync, readdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { entryKind } from "../../files/entryKind.js"
import { makeOwnerDirectory, OWNER_FILE, restrictToOwner } from "../../files/ownerOnly.js"
import { storeError } from "../errors.js"
import { LOCK_FILE, newPath } from "./holderNote.js"
import { openFailure, readFailure } from "./lmdbFailure.js"
import { type StoreFiles, writeNewFile } from "./storeFiles.js"

/** The file with the rows. */
export const DATA_FILE = "data.mdb"

/** File of LMDB in which readers are registered. */
export const READERS_FILE = "lock.mdb"
const isOurs = (name: string) => name === DATA_FILE || name === READERS_FILE || name.startsWith(LOCK_FILE)

/** The maximum number of bytes that opening writes: with LMDB's first pages and the table of readers, and if those exist already. */
const [NEW_BYTES, OLD_BYTES] = [1 << 17, 1 << 12]

/** The maximum number of files that LMDB and the store's own locks open. */
const MOST_HANDLES = 16

export interface Preparation {
  readonly mustExist: boolean
  readonly readOnly: boolean
  readonly files: StoreFiles
}

/**
 * Makes the directory of a store, or checks that it can be one. Throws `store.link` if it contains a link or a special file,
 * `store.foreign` if it contains something else, `store.missing` if there must be a store and is none, `store.not_readable`,
 * `store.not_writable` and `store.disk_full`. Returns the names of the directory's entries.
 *
 * Everything that could fail when LMDB opens is checked here, because after its first system call lmdb 3.5.6 frees an environment twice if
 * it cannot be opened, which ends the process with SIGSEGV. No option and no order of calls avoids that. What remains is a call that fails
 * although the same call succeeded here a moment before.
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
    // If the table of readers cannot be written, LMDB reads without it.
    const used = readOnly ? [DATA_FILE] : [DATA_FILE, READERS_FILE]
    const flags = readOnly ? "r" : "r+"
    for (const name of used) if (names.includes(name)) files.close(files.open(join(dir, name), flags))
  } catch (error) {
    throw readOnly ? readFailure(error, dir) : openFailure(error, dir)
  }
  return names
}

/** Throws `store.dangling` if a link in the path has no target. */
function makeDirectory(dir: string): void {
  for (let above = dir; above !== dirname(above); above = dirname(above)) {
    if (entryKind(above) === "link" && !existsSync(above)) throw storeError("store.dangling", { dir, link: above })
  }
  makeOwnerDirectory(dir)
}

/**
 * Checks that the directory has plain files only, and is not a link itself. LMDB and the lock write to their files by name, LMDB even when
 * it only reads. Through a link in a directory of another person they would overwrite its target.
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

/** Restricts the files that opening has made to their owner, because LMDB makes them readable by all users. */
export function restrictNewFiles(dir: string, before: readonly string[]): void {
  for (const name of [DATA_FILE, READERS_FILE]) {
    if (!before.includes(name) && entryKind(join(dir, name)) === "file") restrictToOwner(join(dir, name))
  }
}

/** Checks that the directory can be written, and has room for the files that opening writes. */
function probe(dir: string, bytes: number, files: StoreFiles): void {
  const path = newPath(dir, "probe")
  writeNewFile(files, path, new Uint8Array(bytes), OWNER_FILE)
  files.remove(path)
}

/** Removes the partial files of killed processes. The store is locked. */
export function removeLeftovers(dir: string, files: StoreFiles): void {
  const isLeftover = (name: string) => name.startsWith(`${LOCK_FILE}.`) && /\.(new|probe|probe-lock)$/.test(name)
  for (const name of namesIn(dir).filter(isLeftover)) files.remove(join(dir, name))
}

/** Checks that the process may open as many files as LMDB will. */
function checkHandles(path: string): void {
  const handles: number[] = []
  try {
    while (handles.length < MOST_HANDLES) handles.push(openSync(path, "r"))
  } finally {
    for (const handle of handles) closeSync(handle)
  }
}

/** Makes the directory of a backup. Throws `store.backup_exists` if it is not empty, and `store.link`. */
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
