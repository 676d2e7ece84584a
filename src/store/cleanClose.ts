import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileMark } from "../files/fileMark.js"
import { OWNER_FILE } from "../files/ownerOnly.js"
import { isOwnNote, isSeenAlive, LOCK_FILE, readNote } from "./holderNote.js"
import { fileAt } from "./lock.js"
import { DATA_FILE, type Depth } from "./pages/dataFile.js"
import { type StoreFiles, writeNewFile } from "./storeFiles.js"

/** Name of the note about the data file at the moment when its last writer closed it. */
const CLEAN_FILE = `${LOCK_FILE}.clean`

/** The size up to which a data file is always read completely when it is opened, bytes. It takes some hundredths of a second. */
const SMALL = 1 << 25

/**
 * Records that the data file was closed properly. The next process need not read it completely, unless it was changed since. If the note
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
 * Returns how much of a data file is read before it is used. A large file that was not changed since a writer closed it was correct then,
 * and a writer that has it open has read it. For such files only the pages that lead to others are read.
 */
export function depthAtOpening(dir: string): Depth {
  const { size } = statSync(join(dir, DATA_FILE))
  return size <= SMALL || !(isAsClosed(dir) || isOpenToWrite(dir)) ? "whole" : "branches"
}

function isAsClosed(dir: string): boolean {
  try {
    return readFileSync(join(dir, CLEAN_FILE), "utf8") === markOf(dir)
  } catch {
    return false
  }
}

const markOf = (dir: string): string | undefined => fileMark(join(dir, DATA_FILE))

/** Returns whether a visible process is writing to the file. */
function isOpenToWrite(dir: string): boolean {
  const note = readNote(dir)
  return note !== undefined && note.file === fileAt(join(dir, DATA_FILE)) && !isOwnNote(note) && isSeenAlive(note)
}
