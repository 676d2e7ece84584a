import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { allTables } from "../../core/state/tables.js"
import { tablesOf } from "../indexes.js"
import type { Store, StoreTables } from "../store.js"
import { checkDataFile, requireWorkingVolume } from "./childProcess.js"
import { isKnownWhole, noteCleanClose } from "./cleanClose.js"
import { checkContents, databaseNames, makeDatabases, openDatabases } from "./databases.js"
import { DATA_FILE, prepareDirectory, READERS_FILE, removeLeftovers, restrictNewFiles } from "./directory.js"
import { LmdbConnection, type WriteAccess } from "./lmdbConnection.js"
import { openFailure } from "./lmdbFailure.js"
import { LmdbStore } from "./lmdbStore.js"
import { fileAt, Lock } from "./lock.js"
import { makeLmdbFile, openRoot } from "./openRoot.js"
import { signInProcess } from "./ownNumber.js"
import { DiskRoom, mapSizeFor } from "./room.js"
import { type StoreFiles, systemFiles } from "./storeFiles.js"
import { openPlaces } from "./tablePlaces.js"
import { isLocalVolume, requireOwnVolume, volumeType } from "./volume.js"

export interface LmdbOptions extends StoreTables {
  readonly dir: string
  /** The network of the store. A store of another network is refused; a new one records it. */
  readonly networkID?: number
  /** Refuses to make a new store. */
  readonly mustExist?: boolean
  /** Takes no lock, so that it opens while another process writes. Commits are then faults. */
  readonly readOnly?: boolean
  /**
   * Lets the disk catch up while the next commit is made, for a replay, which can repeat its blocks. A kill loses nothing that was
   * committed; if the machine itself fails, the store is consistent, with the state of a commit a moment earlier.
   */
  readonly isLazy?: boolean
  /** Called before all rows of a large file are read, because it was not closed properly or was changed since. */
  onCheck?(): void
  /** Opens a store whose repair was interrupted, to repair it. */
  readonly isRepair?: boolean
  /** Opens a directory on a volume that other machines may write to. */
  readonly allowsSharedVolume?: boolean
  /** The system calls of the store itself; those of the system by default. */
  readonly files?: StoreFiles
  /** The maximum size of the file, bytes. Address space for it is reserved at once, disk space is not. By default it may grow. */
  readonly maxBytes?: number
}

/** Opens the store in a directory, or makes one. Throws `store.*` if it cannot. */
export function openLmdbStore(options: LmdbOptions): Store {
  const { dir, mustExist = false, readOnly = false, files = systemFiles } = options
  const before = prepareDirectory(dir, { mustExist: mustExist || readOnly, readOnly, files })
  const type = volumeType(dir)
  if (!readOnly && !options.allowsSharedVolume) requireOwnVolume(dir, type)
  if (!readOnly && !isLocalVolume(type)) requireWorkingVolume(dir, type as string)
  if (before.includes(DATA_FILE) && !isKnownWhole(dir)) {
    if (statSync(join(dir, DATA_FILE)).size > LARGE) options.onCheck?.()
    checkDataFile(dir)
  }
  let writing: WriteAccess | undefined
  let signOut = () => {}
  try {
    if (!readOnly) writing = beginWriting(dir, files)
    signOut = signInProcess(dir, files, !readOnly)
    return openWithin(options, { before, writing, signOut })
  } catch (error) {
    signOut()
    writing?.end()
    throw openFailure(error, dir)
  }
}

/** The size from which on reading all rows of a file takes noticeable time, bytes. */
const LARGE = 1 << 26

/** Locks the store for this process. */
function beginWriting(dir: string, files: StoreFiles): WriteAccess {
  const lock = new Lock(dir, files)
  try {
    removeLeftovers(dir, files)
    const dataFile = join(dir, DATA_FILE)
    if (!existsSync(dataFile)) makeLmdbFile(dataFile, files)
    lock.guard(dataFile)
    const room = new DiskRoom(dir, files)
    return {
      lock,
      room,
      end(isClean = false) {
        room.close()
        if (isClean) noteCleanClose(dir, files)
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Results of the preparation before LMDB opens: the names in the directory, and the right to write. */
interface OpenPreparation {
  readonly before: readonly string[]
  readonly writing: WriteAccess | undefined
  signOut(): void
}

function openWithin(options: LmdbOptions, { before, writing, signOut }: OpenPreparation): LmdbStore {
  const { dir, tables = allTables, tablesBesideChain = [], readOnly = false, isLazy = false, maxBytes } = options
  const all = tablesOf({ tables, tablesBesideChain })
  const mapSize = maxBytes ?? mapSizeFor(dir)
  const open = () => openRoot({ dir, readOnly, isLazy, maxDatabases: maxDatabasesFor(all.length), mapSize })
  const root = open()
  try {
    restrictNewFiles(dir, before)
    // Without this file readers and this process do not see each other, and pages in use would be overwritten.
    writing?.lock.watch(join(dir, READERS_FILE))
    const names = databaseNames(root)
    const isNew = checkContents(root, names, options)
    if (isNew) writing?.room.require(2 * 4096, NEW_BYTES)
    const opened = readOnly ? openDatabases(root, all) : root.transactionSync(() => makeDatabases(root, all, names, options))
    const checkOpening = () => {
      prepareDirectory(dir, { mustExist: true, readOnly, files: options.files ?? systemFiles })
    }
    const place = fileAt(join(dir, DATA_FILE))
    const connection = new LmdbConnection(
      {
        dir,
        map: { mapSize, isFixed: maxBytes !== undefined },
        writing,
        isInPlace: () => fileAt(join(dir, DATA_FILE)) === place,
        checkOpening,
        open: () => openDatabases(open(), all),
        openTables: (opened, places) => openPlaces(opened, places, all),
        closed: signOut,
      },
      opened,
    )
    return new LmdbStore(connection, new Set(tablesOf({ tablesBesideChain })))
  } catch (error) {
    void root.close()
    throw error
  }
}

/** The maximum size of the first commit of a new store, bytes: the list of its tables. */
const NEW_BYTES = 1 << 16

/** Each table has two databases, and there is room for the tables of later versions. */
const maxDatabasesFor = (tables: number): number => 2 * tables + 64
