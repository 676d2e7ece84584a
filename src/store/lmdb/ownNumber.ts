import { accessSync, constants } from "node:fs"
import { join } from "node:path"
import type { RootDatabase, Transaction } from "lmdb"
import { storeError } from "../errors.js"
import { LOCK_FILE } from "./holderNote.js"
import { fileAt, openSignIn, readerIDs } from "./lock.js"
import type { StoreFiles } from "./storeFiles.js"

/** A separate LMDB file in which nothing is ever written. Every process that has the store open is registered there as a reader. */
const SIGN_IN_FILE = `${LOCK_FILE}.readers.mdb`

/** The maximum number of processes that have a store open at the same time. */
const MOST_PROCESSES = 1024

interface SignIn {
  readonly root: RootDatabase
  /** The entry of this process among the readers. It is released with the object, so the object is kept. */
  readonly place: Transaction
  /** The number of times that this process has the store open. */
  count: number
}

const signIns = new Map<string, SignIn>()

/**
 * Registers this process as one that has the store of a directory open, and returns the function that ends this. Throws `store.same_pid` if
 * a process in another container has the store open and has the same process ID there as this process has here: LMDB distinguishes its
 * readers by these IDs, and lmdb 3.5.6 ends the process when it reads then. LMDB does not list a process between two reads, so each has a
 * lasting entry in a file of its own. The first process that writes makes this file; where it is missing or cannot be written, nothing is checked.
 */
export function signInProcess(dir: string, files: StoreFiles, isWriting: boolean): () => void {
  const path = join(dir, SIGN_IN_FILE)
  const key = fileAt(dir) ?? dir
  const own = signIns.get(key) ?? (isWriting || canSignIn(path) ? newSignIn(dir, files) : undefined)
  if (!own) return () => {}
  signIns.set(key, own)
  own.count++
  return () => {
    if (--own.count > 0) return
    signIns.delete(key)
    own.place.done()
    void own.root.close()
  }
}

/** Returns the process IDs of the other processes that have the store open which this process has open, too. */
export function otherProcessesAt(dir: string): readonly number[] {
  const own = signIns.get(fileAt(dir) ?? dir)
  // Entries of ended processes are removed first.
  own?.root.readerCheck()
  return own ? readerIDs(own.root).filter((id) => id !== process.pid) : []
}

function newSignIn(dir: string, files: StoreFiles): SignIn {
  const root = openSignIn(dir, SIGN_IN_FILE, MOST_PROCESSES, files)
  const place = root.transactionSync(() => (readerIDs(root).includes(process.pid) ? undefined : root.useReadTransaction()))
  if (place) return { root, place, count: 0 }
  void root.close()
  throw storeError("store.same_pid", { dir, pid: process.pid })
}

function canSignIn(path: string): boolean {
  try {
    for (const each of [path, `${path}-lock`]) accessSync(each, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}
