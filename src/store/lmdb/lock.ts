import { statSync } from "node:fs"
import { basename, join } from "node:path"
import type { RootDatabase, Transaction } from "lmdb"
import { OWNER_FILE, restrictToOwner } from "../../files/ownerOnly.js"
import { load } from "../../platform/load.js"
import { storeError } from "../errors.js"
import { DATA_FILE } from "./directory.js"
import {
  type Holder,
  holderOf,
  isOwnNote,
  isSeenAlive,
  LOCK_FILE,
  newPath,
  readNote,
  removeNote,
  writeNote,
} from "./holderNote.js"
import { emptyLmdbFile, TWO_PAGES } from "./openRoot.js"
import { type StoreFiles, syncDirectory, writeNewFile } from "./storeFiles.js"

/** A separate LMDB file in which nothing is ever written. The process that writes to the store is registered there as a reader. */
const SIGN_IN_FILE = `${LOCK_FILE}.mdb`

/** The maximum number of processes that can check at the same time whether the store is free. */
const MOST_CONTENDERS = 64

/** Identifies the file at a path by device and number. */
export const fileAt = (path: string): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev}:${found.ino}`
}

/** Directories whose lock this process holds. */
const held = new Set<string>()

/**
 * The right to write to a store, which one process at a time has. It is an entry in the table of readers of a small LMDB file. LMDB guards
 * each entry with a lock of the operating system (`fcntl`), which ends with its process in any case, and which also works across containers
 * and PID namespaces. Nothing has to be removed on release, so no process can remove the lock of another.
 */
export class Lock {
  readonly #dir: string
  readonly #files: StoreFiles
  readonly #root: RootDatabase
  /** The entry of this process among the readers. It is released with the object, so the object is kept. */
  readonly #place: Transaction
  readonly #key: string
  readonly #watched = new Map<string, string | undefined>()
  #holder: Holder | undefined

  /** Throws `store.locked` with the process ID of the holder. */
  constructor(dir: string, files: StoreFiles) {
    this.#dir = dir
    this.#files = files
    const note = readNote(dir)
    const key = fileAt(dir) ?? dir
    if (isOpenForWriting(dir)) throw storeError("store.locked", { dir, pid: note?.pid ?? process.pid })
    this.#root = openSignIn(dir, SIGN_IN_FILE, MOST_CONTENDERS, files)
    this.#key = key
    const place = signIn(this.#root)
    if ("others" in place) {
      void this.#root.close()
      throw storeError("store.locked", { dir, pid: note?.pid ?? place.others[0], ...(note?.host ? { host: note.host } : {}) })
    }
    this.#place = place
    held.add(key)
  }

  /** Assigns the lock to this data file, and writes a note about the holder. */
  guard(dataFile: string, isUnflushed: boolean): void {
    this.watch(dataFile)
    this.watch(join(this.#dir, SIGN_IN_FILE))
    this.#holder = holderOf(fileAt(dataFile) ?? "", isUnflushed)
    writeNote(this.#dir, this.#holder, this.#files)
    // The note must be there after a failure of the machine.
    if (isUnflushed) syncDirectory(this.#files, this.#dir)
  }

  /** Adds a file that must not be replaced. */
  watch(path: string): void {
    this.#watched.set(path, fileAt(path))
  }

  /** Throws `store.replaced` if the data file, LMDB's table of readers or the lock is no longer the file that was opened. */
  check(): void {
    for (const [path, file] of this.#watched) {
      if (fileAt(path) !== file) throw storeError("store.replaced", { dir: this.#dir, file: basename(path) })
    }
  }

  /** `isLost` is true if the data file could not be flushed. A second attempt could succeed in vain, so the note refuses the store from then on. */
  release(isLost = false): void {
    if (!held.delete(this.#key)) return
    this.#place.done()
    if (this.#holder && isLost) this.#noteLoss(this.#holder)
    else if (this.#holder) removeNote(this.#dir, this.#holder, this.#files)
    void this.#root.close()
  }

  #noteLoss(holder: Holder): void {
    try {
      writeNote(this.#dir, { ...holder, boot: "none" }, this.#files)
    } catch {
      // The disk fails. The note of this process is still there.
    }
  }
}

/** Returns whether a process on this machine has the store in a directory open for writing. It writes nothing there. */
export function isOpenForWriting(dir: string): boolean {
  return held.has(fileAt(dir) ?? dir) || isOpenElsewhere(dir)
}

/**
 * Returns whether another process that is visible has the store in a directory open for writing. A note of this process that could not be
 * removed is ignored, because this process knows its own locks.
 */
export function isOpenElsewhere(dir: string): boolean {
  const note = readNote(dir)
  return note !== undefined && note.file === fileAt(join(dir, DATA_FILE)) && !isOwnNote(note) && isSeenAlive(note)
}

/** Opens an LMDB file without rows, in which processes are registered as readers, and creates it if it does not exist. */
export function openSignIn(dir: string, name: string, maxReaders: number, files: StoreFiles): RootDatabase {
  const path = join(dir, name)
  const tableOfReaders = `${path}-lock`
  makeSignIn(dir, path, files)
  // If the file was truncated, LMDB would end the process with a signal.
  if (statSync(path).size < TWO_PAGES)
    throw storeError("store.damaged", { dir, file: name, fault: "remove this file: it holds no data" })
  const isNew = fileAt(tableOfReaders) === undefined
  const root = load<typeof import("lmdb")>("lmdb").open({
    path,
    noSubdir: true,
    maxReaders,
    maxDbs: 1,
    mapSize: 1 << 20,
    overlappingSync: false,
    encoding: "binary",
    keyEncoding: "binary",
  })
  if (isNew) restrictToOwner(tableOfReaders)
  return root
}

/** Creates the file if it does not exist. It is made beside its place, so that no process sees a partial one. */
function makeSignIn(dir: string, path: string, files: StoreFiles): void {
  if (fileAt(path) !== undefined) return
  const part = newPath(dir, "new")
  try {
    writeNewFile(files, part, emptyLmdbFile(dir), OWNER_FILE)
    files.link(part, path)
    files.remove(part)
  } catch (error) {
    // Another process may have been first, and may have removed the file that this one was making.
    if (fileAt(path) !== undefined) return
    if (!NO_LINKS.includes((error as { code?: string }).code ?? "")) throw error
    files.remove(part)
    writeNewFile(files, path, emptyLmdbFile(dir), OWNER_FILE)
  }
}

/** The errors of a disk without hard links. */
const NO_LINKS = ["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]

/** Takes an entry in the table of readers, or returns the process IDs of the holders if another process has one. */
function signIn(root: RootDatabase): Transaction | { readonly others: readonly number[] } {
  return root.transactionSync(() => {
    // Entries of ended processes are removed first.
    root.readerCheck()
    const others = readerIDs(root)
    return others.length > 0 ? { others } : root.useReadTransaction()
  })
}

/** Returns the process IDs in LMDB's table of readers. */
export const readerIDs = (root: RootDatabase): readonly number[] =>
  [...root.readerList().matchAll(/^ *(\d+) [0-9a-f]+ /gm)].map(([, pid]) => Number(pid))
