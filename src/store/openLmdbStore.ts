import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { allTables } from "../core/state/tables.js"
import { type AddressReservation, type AddressSpace, addressSpace } from "./addressSpace.js"
import { depthAtOpening, noteCleanClose } from "./cleanClose.js"
import { checkContents, databaseNames, makeDatabases, openDatabases } from "./databases.js"
import { prepareDirectory, READERS_FILE, removeLeftovers, restrictNewFiles } from "./directory.js"
import { DiskRoom } from "./diskRoom.js"
import { storeError } from "./errors.js"
import { tablesOf } from "./indexes.js"
import { LmdbConnection, type WriteAccess } from "./lmdbConnection.js"
import { openFailure } from "./lmdbFailure.js"
import { LmdbStore } from "./lmdbStore.js"
import { fileAt, Lock } from "./lock.js"
import { openRoot } from "./openRoot.js"
import { requireOwnNumber } from "./ownNumber.js"
import { checkDataFile, DATA_FILE, makeDataFile } from "./pages/dataFile.js"
import { PAGE_SIZE } from "./pages/metaPages.js"
import type { OnPart } from "./rebuildIndexes.js"
import type { Store, StoreTables } from "./store.js"
import { type StoreFiles, systemFiles } from "./storeFiles.js"
import { openPlaces } from "./tablePlaces.js"
import { requireOwnVolume, volumeType } from "./volume.js"
import { requireWorkingVolume } from "./volumeProbe.js"

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
  /** Called with the number of pages read, while a large data file is read before it is used. */
  readonly onCheck?: OnPart
  /** Opens a store whose repair was interrupted, to repair it. */
  readonly isRepair?: boolean
  /** Opens a directory on a volume that other machines may write to. */
  readonly allowsSharedVolume?: boolean
  /** The system calls of the store itself; those of the system by default. */
  readonly files?: StoreFiles
  /**
   * The maximum size of the file, bytes. Address space for it is reserved at once, disk space is not. By default it is a fair share, which
   * may grow.
   */
  readonly maxBytes?: number
  /** The address space; that of the process by default. */
  readonly addresses?: AddressSpace
}

/** Opens the store in a directory, or makes one. Throws `store.*` if it cannot. */
export function openLmdbStore(options: LmdbOptions): Store {
  const { dir, mustExist = false, readOnly = false, maxBytes, files = systemFiles, addresses = addressSpace } = options
  const before = prepareDirectory(dir, { mustExist: mustExist || readOnly, readOnly, files })
  if (before.includes(DATA_FILE)) checkDataFile(dir, "ends")
  const type = volumeType(dir)
  if (!readOnly && !options.allowsSharedVolume) requireOwnVolume(dir, type)
  requireWorkingVolume({ dir, type, readOnly })
  const reserved = addresses.take(maxBytes)
  if (!reserved) throw storeError("store.too_many_open", { dir })
  let writing: WriteAccess | undefined
  try {
    if (!readOnly) writing = beginWriting(options, files, before)
    const store = openWithin(reserved, options, { before, writing })
    // A file that a writer may change is checked in a view of one moment, because LMDB keeps the pages of a view.
    if (readOnly) checkOrClose(store, options)
    return store
  } catch (error) {
    writing?.end()
    reserved.giveBack()
    throw openFailure(error, dir)
  }
}

function checkOrClose(store: LmdbStore, { dir, onCheck }: LmdbOptions): void {
  try {
    store.checkPages(pageCounter(dir, onCheck), depthAtOpening(dir))
  } catch (error) {
    void store.close()
    throw error
  }
}

/** Counts the pages of the data file that were read. */
function pageCounter(dir: string, onCheck: OnPart = () => {}): () => void {
  const pages = Math.ceil(statSync(join(dir, DATA_FILE)).size / PAGE_SIZE)
  let done = 0
  return () => {
    done++
    if (done % PAGES_BETWEEN === 0) onCheck(done, pages)
  }
}

/** Number of pages between two reports of progress: a quarter of a gigabyte. */
const PAGES_BETWEEN = 1 << 16

/** Locks the store for this process, with a checked data file. */
function beginWriting({ dir, onCheck }: LmdbOptions, files: StoreFiles, before: readonly string[]): WriteAccess {
  const lock = new Lock(dir, files)
  try {
    removeLeftovers(dir, files)
    const dataFile = join(dir, DATA_FILE)
    // Another process may have created it since.
    if (before.includes(DATA_FILE) || existsSync(dataFile)) checkDataFile(dir, depthAtOpening(dir), pageCounter(dir, onCheck))
    else makeDataFile(dir, files)
    lock.guard(dataFile)
    const room = new DiskRoom(dir, dataFile, files)
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
}

function openWithin(reserved: AddressReservation, options: LmdbOptions, { before, writing }: OpenPreparation): LmdbStore {
  const { dir, tables = allTables, tablesBesideChain = [], readOnly = false, isLazy = false } = options
  const all = tablesOf({ tables, tablesBesideChain })
  requireOwnNumber(dir, reserved.bytes)
  const rootOptions = { dir, readOnly, isLazy, maxDatabases: maxDatabasesFor(all.length) }
  const open = () => openRoot({ ...rootOptions, maxBytes: reserved.bytes })
  const root = open()
  try {
    restrictNewFiles(dir, before)
    // Without this file readers and this process do not see each other, and pages in use would be overwritten.
    writing?.lock.watch(join(dir, READERS_FILE))
    const names = databaseNames(root)
    const isNew = checkContents(root, names, options)
    if (isNew) writing?.room.require(NEW_BYTES, () => ({ used: 2 * 4096, bytes: NEW_BYTES }))
    const opened = readOnly ? openDatabases(root, all) : root.transactionSync(() => makeDatabases(root, all, names, options))
    const checkOpening = () => {
      prepareDirectory(dir, { mustExist: true, readOnly, files: options.files ?? systemFiles })
    }
    const place = fileAt(join(dir, DATA_FILE))
    const connection = new LmdbConnection(
      {
        dir,
        reserved,
        writing,
        isInPlace: () => fileAt(join(dir, DATA_FILE)) === place,
        checkOpening,
        open: () => openDatabases(open(), all),
        rootOptions: () => ({ ...rootOptions, maxBytes: reserved.bytes }),
        openTables: (opened, places) => openPlaces(opened, places, all),
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
