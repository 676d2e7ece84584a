import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { OWNER_FILE } from "../../files/ownerOnly.js"
import { DATA_FILE } from "./directory.js"
import { bootOf, LOCK_FILE, readNote } from "./holderNote.js"
import { fileAt, isOpenElsewhere } from "./lock.js"
import { type StoreFiles, writeNewFile } from "./storeFiles.js"

/** Name of the note about the data file at the moment when its last writer closed it. */
const CLEAN_FILE = `${LOCK_FILE}.clean`

/**
 * Records that the data file was closed properly. The next process need not read all its rows, unless it was changed since. If the note
 * cannot be written, the next start only takes longer.
 */
export function noteCleanClose(dir: string, files: StoreFiles): void {
  const part = join(dir, `${CLEAN_FILE}.${process.pid}.new`)
  try {
    files.remove(part)
    writeNewFile(files, part, Buffer.from(markOf(dir) ?? ""), OWNER_FILE)
    files.rename(part, join(dir, CLEAN_FILE))
  } catch {
    // The next start only takes longer.
  }
}

/**
 * Returns whether a data file is known to be whole: it was not changed since a writer closed it, or a writer that has checked it has it open.
 * All rows of another one are read before it is used.
 */
export function isKnownWhole(dir: string): boolean {
  return isAsClosed(dir) || isOpenElsewhere(dir)
}

/**
 * Returns whether the last writer of a data file was killed, and the machine has run since. Such a file is whole: LMDB changes no page that its
 * last commit uses, and the system has every page that was written. Only a failure of the machine, or another program, can tear the file.
 */
export function wasKilledHere(dir: string): boolean {
  const note = readNote(dir)
  return note?.boot !== undefined && note.boot === bootOf() && note.file === fileAt(join(dir, DATA_FILE))
}

function isAsClosed(dir: string): boolean {
  try {
    return readFileSync(join(dir, CLEAN_FILE), "utf8") === markOf(dir)
  } catch {
    return false
  }
}

const markOf = (dir: string): string | undefined => fileMark(join(dir, DATA_FILE))

/**
 * Returns a text that changes with every change of a file; `undefined` if there is none. The system sets `ctime` at each change, and no
 * program can set it back.
 */
export function fileMark(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ")
}
