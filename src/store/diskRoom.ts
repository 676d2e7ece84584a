import { readFileSync } from "node:fs"
import { type StoreFiles, writeAll } from "./storeFiles.js"

/** Free bytes below which the space of a commit is allocated before the commit is written. */
const SCARCE = 1 << 24
const PIECE = 1 << 20

/** The number of the first page, with which the file begins. Writing it again changes nothing. */
const FIRST_PAGE = new Uint8Array(8)

/** The part of the file that a commit may write: a number of bytes from the end of the pages in use. */
export interface Growth {
  readonly used: number
  readonly bytes: number
}

/**
 * Checks that a commit can be written before LMDB begins to write it. If a page cannot be written, lmdb 3.5.6 may overrun a buffer of its
 * own (mdb.c, `mdb_page_flush`: a message of more than 100 bytes), and then the process can no longer be trusted. So the store first writes
 * to the data file itself: its first bytes, which detects a disk that fails or has become read-only, and if space is scarce everything that
 * the commit may need, which detects a full disk and a limit of the file's size.
 */
export class DiskRoom {
  readonly #files: StoreFiles
  readonly #dir: string
  readonly #handle: number
  /** The offset up to which this process has written the file. */
  #taken = 0
  readonly #isLimited = hasFileLimit()

  /** `path` is the data file, in `dir`. */
  constructor(dir: string, path: string, files: StoreFiles) {
    this.#files = files
    this.#dir = dir
    this.#handle = files.open(path, "r+")
  }

  /**
   * Throws the system's error if a commit could not be written. `most` is an upper bound of its bytes; `exactly` is a closer bound, which
   * takes longer to compute.
   */
  require(most: number, exactly: () => Growth): void {
    writeAll(this.#files, this.#handle, FIRST_PAGE, 0)
    const isScarce = this.#isLimited || this.#files.freeBytes(this.#dir) < most + SCARCE
    if (!isScarce) return
    const { used, bytes } = exactly()
    // Space that was allocated for an earlier commit and not used is still available.
    for (let at = Math.max(used, this.#taken); at < used + bytes; at += PIECE) {
      const until = Math.min(at + PIECE, used + bytes)
      writeAll(this.#files, this.#handle, new Uint8Array(until - at), at)
      this.#taken = until
    }
  }

  close(): void {
    this.#files.close(this.#handle)
  }
}

/** Returns whether the system limits the size of the files of this process (`ulimit -f`). */
function hasFileLimit(): boolean {
  try {
    return !/^Max file size +unlimited/m.test(readFileSync("/proc/self/limits", "utf8"))
  } catch {
    return false
  }
}
