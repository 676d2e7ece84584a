import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import type { RootDatabase } from "lmdb"
import type { AnyTable } from "../../core/state/table.js"
import { allTables } from "../../core/state/tables.js"
import { storeError } from "../errors.js"
import { tablesOf } from "../indexes.js"
import { OLDEST_SCHEMA, SCHEMA } from "../meta.js"
import type { Store, StoreTables } from "../store.js"
import { checkDataFile } from "./childProcess.js"
import { isKnownWhole, noteCleanClose, wasKilledHere } from "./cleanClose.js"
import { DATA_FILE, prepareDirectory, READERS_FILE, removeLeftovers, restrictNewFiles } from "./directory.js"
import { bootOf, readNote } from "./holderNote.js"
import { LmdbConnection, type OpenedLmdb, openDatabases, type ProcessAccess, type WriteAccess } from "./lmdbConnection.js"
import { openFailure } from "./lmdbFailure.js"
import { LmdbMeta, META_DATABASE } from "./lmdbMeta.js"
import { LmdbStore } from "./lmdbStore.js"
import { fileAt, Lock } from "./lock.js"
import { makeLmdbFile, openRoot } from "./openRoot.js"
import { signInProcess } from "./ownNumber.js"
import { DiskRoom, mapSizeFor } from "./room.js"
import { type StoreFiles, syncDirectory, syncFile, systemFiles } from "./storeFiles.js"
import { emptyOtherPlaces } from "./tablePlaces.js"
import { requireSuitableVolume } from "./volume.js"

export interface LmdbOptions extends StoreTables {
  readonly dir: string
  /** The network of the store. A store of another network is refused; a new one records it. */
  readonly networkID?: number
  /** Refuses to make a new store. */
  readonly mustExist?: boolean
  /** Takes no lock, so that it opens while another process writes. Commits are then faults. */
  readonly readOnly?: boolean
  /**
   * Flushes a new store to the disk only when it is closed, for a replay, which can repeat its blocks. A kill loses nothing that was
   * committed. If the machine itself fails before, the store is refused from then on (`store.not_flushed`).
   */
  readonly isLazy?: boolean
  /** Called before all rows of a large file are read, because it was not closed properly or was changed since. */
  onCheck?(): void
  /** Opens a store whose repair was interrupted, to repair it. */
  readonly isRepair?: boolean
  /** Opens a store of an older schema, too, for reading the tables that an upgrade reads. */
  readonly isUpgrade?: boolean
  /** Opens a directory on a volume that other machines may write to. */
  readonly allowsSharedVolume?: boolean | undefined
  /** The system calls of the store itself; those of the system by default. */
  readonly files?: StoreFiles
  /** The maximum size of the file, bytes. Address space for it is reserved at once, disk space is not. By default it may grow. */
  readonly maxBytes?: number
}

/** Opens the store in a directory, or makes one. Throws `store.*` if it cannot. */
export function openLmdbStore(options: LmdbOptions): Store {
  const { dir, mustExist = false, readOnly = false, files = systemFiles } = options
  const before = prepareDirectory(dir, { mustExist: mustExist || readOnly, readOnly, files })
  if (!readOnly) requireSuitableVolume(dir, options.allowsSharedVolume === true)
  if (before.includes(DATA_FILE) && !isKnownWhole(dir)) {
    const wasKilled = wasKilledHere(dir)
    if (!wasKilled && statSync(join(dir, DATA_FILE)).size > LARGE) options.onCheck?.()
    checkDataFile(dir, wasKilled ? "skim" : "read")
  }
  const isUnflushed = mayStayUnflushed(options, before)
  let writing: WriteAccess | undefined
  let signOut = () => {}
  try {
    if (!readOnly) writing = beginWriting(dir, isUnflushed, files)
    signOut = signInProcess(dir, files, !readOnly)
    return openWithin({ ...options, isLazy: isUnflushed }, before, { writing, signOut })
  } catch (error) {
    signOut()
    writing?.end()
    throw openFailure(error, dir)
  }
}

/** The size from which on reading all rows of a file takes noticeable time, bytes. */
const LARGE = 1 << 26

/**
 * Returns whether the store may stay unflushed until it is closed: nobody relies on a new one, or on one that its last process left unflushed.
 * `before` has the names in the directory. Throws `store.not_flushed` if the machine has failed since.
 */
function mayStayUnflushed({ dir, isLazy = false, readOnly = false }: LmdbOptions, before: readonly string[]): boolean {
  const note = readNote(dir)
  // A note that was copied together with its store names another file.
  const wasUnflushed = note?.isUnflushed === true && note.file === fileAt(join(dir, DATA_FILE))
  if (wasUnflushed && note.boot !== bootOf()) throw storeError("store.not_flushed", { dir })
  // Without the ID of the machine's start, its failure would not be noticed.
  return isLazy && !readOnly && bootOf() !== undefined && (wasUnflushed || !before.includes(DATA_FILE))
}

/** Locks the store for this process. */
function beginWriting(dir: string, isUnflushed: boolean, files: StoreFiles): WriteAccess {
  const lock = new Lock(dir, files)
  try {
    removeLeftovers(dir, files)
    const dataFile = join(dir, DATA_FILE)
    if (!existsSync(dataFile)) makeLmdbFile(dataFile, files)
    if (readNote(dir)?.isUnflushed) syncFile(files, dataFile)
    lock.guard(dataFile, isUnflushed)
    const room = new DiskRoom(dir, files)
    return {
      lock,
      room,
      end(isClean = false) {
        room.close()
        try {
          if (isUnflushed) syncFile(files, dataFile)
        } catch (error) {
          lock.release(true)
          throw openFailure(error, dir)
        }
        if (isClean) noteCleanClose(dir, files)
        lock.release()
        // Otherwise the note could be there again after a failure of the machine.
        if (isUnflushed) syncDirectory(files, dir)
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Opens LMDB. `before` has the names in the directory before that. */
function openWithin(options: LmdbOptions, before: readonly string[], access: ProcessAccess): LmdbStore {
  const { dir, tablesBesideChain = [], readOnly = false, isLazy = false, maxBytes, files = systemFiles } = options
  const tables = tablesOf({ tables: options.tables ?? allTables, tablesBesideChain })
  const map = { mapSize: maxBytes ?? mapSizeFor(dir), isFixed: maxBytes !== undefined }
  const environment = { dir, tables, readOnly, isUnflushed: isLazy, ...map, files }
  const { writing } = access
  const root = openRoot(environment)
  try {
    restrictNewFiles(dir, before)
    // Without this file readers and this process do not see each other, and pages in use would be overwritten.
    writing?.lock.watch(join(dir, READERS_FILE))
    const names = databaseNames(root)
    checkContents(root, names, options)
    if (names.length === 0) writing?.room.require(2 * 4096, NEW_BYTES)
    const open = () => makeDatabases(root, tables, names, options)
    const opened = readOnly ? openDatabases(root, tables) : root.transactionSync(open)
    return new LmdbStore(new LmdbConnection(environment, opened, access), new Set(tablesOf({ tablesBesideChain })))
  } catch (error) {
    void root.close()
    throw error
  }
}

/** The maximum size of the first commit of a new store, bytes: the list of its tables. */
const NEW_BYTES = 1 << 16

/** Returns the names of the databases of an LMDB environment; a new store has none. */
function databaseNames(root: RootDatabase): readonly string[] {
  // LMDB ends names with a zero if another process made the table.
  return [...root.getKeys()].map((name) =>
    Buffer.from(name as Uint8Array)
      .toString()
      .replace(/\0$/, ""),
  )
}

/** Throws `store.*` if the store may not be opened. */
function checkContents(root: RootDatabase, names: readonly string[], options: LmdbOptions): void {
  const { dir, networkID, mustExist, readOnly, isRepair, isUpgrade = false } = options
  if (names.length === 0) {
    if (mustExist || readOnly) throw storeError("store.missing", { dir })
    return
  }
  const meta = names.includes(META_DATABASE) ? new LmdbMeta(root) : undefined
  const schema = meta?.get("schema")
  if (schema === undefined) throw storeError("store.foreign", { dir })
  if (schema > SCHEMA) throw storeError("store.newer", { dir, schema, known: SCHEMA })
  if (schema < OLDEST_SCHEMA) throw storeError("store.too_old", { dir, schema, known: SCHEMA })
  if (schema < SCHEMA && !isUpgrade) throw storeError("store.older", { dir, schema, known: SCHEMA })
  if (!isRepair && meta?.get("repair") !== undefined) throw storeError("store.half_repaired", { dir })
  const found = meta?.get("networkID")
  if (networkID !== undefined && found !== undefined && found !== networkID) {
    throw storeError("store.other_network", { dir, networkID: found, expected: networkID })
  }
}

/** Opens every table in one transaction and creates missing ones. The same transaction marks a new store, and frees the pages of an interrupted load. */
function makeDatabases(
  root: RootDatabase,
  tables: readonly AnyTable[],
  names: readonly string[],
  { networkID }: LmdbOptions,
): OpenedLmdb {
  const opened = openDatabases(root, tables)
  if (names.length === 0) opened.meta.put({ schema: SCHEMA, networkID })
  emptyOtherPlaces(root, opened.meta.get("secondPlaces"), { names, tables })
  return opened
}
