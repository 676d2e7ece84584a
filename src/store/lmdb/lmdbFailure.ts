import { Invalid } from "../../core/lib/invalid.js"
import { storeError } from "../errors.js"

/** MDB_BAD_TXN, the error of a transaction that met a damaged page, or that is too large to be written. */
const BAD_TXN = -30782

/** Failures of the system and of LMDB, by number or name, each with the refusal that reports it. */
const refusalsByCode: readonly (readonly [readonly (number | string)[], Parameters<typeof storeError>[0]])[] = [
  [[28, 122, "ENOSPC", "EDQUOT"], "store.disk_full"],
  [[27, "EFBIG"], "store.file_limit"],
  [[30, "EROFS"], "store.read_only_disk"],
  [[5, "EIO"], "store.io_error"],
  // Node reports ENOENT for a directory that it cannot make on a read-only disk.
  [[1, 13, "EPERM", "EACCES", "ENOENT"], "store.not_writable"],
  [[12, 23, 24, "ENOMEM", "ENFILE", "EMFILE"], "store.too_many_open"],
  [[-30792], "store.full"],
  [[-30788], "store.too_much"],
  // MDB_PAGE_NOTFOUND, MDB_CORRUPTED
  [[-30797, -30796, BAD_TXN], "store.damaged"],
]

const codesByText: readonly (readonly [string, string])[] = [
  ["No space left on device", "ENOSPC"],
  ["Disk quota exceeded", "EDQUOT"],
  ["File too large", "EFBIG"],
  ["Read-only file system", "EROFS"],
  ["Input/output error", "EIO"],
  ["Permission denied", "EACCES"],
]

const NOT_A_STORE: readonly unknown[] = [-30793, -30794, 20, 22, "ENOTDIR", "EEXIST"]

const PAGE_WRITE = "Attempting to write page"

/**
 * The size of LMDB's message about a page that it could not write, including the zero at the end. LMDB allocates 100 bytes, and memory
 * is allocated in multiples of 8.
 */
const MESSAGE_BYTES = 104

/**
 * Returns whether LMDB has written past the end of its own message, and so over other memory. If fewer than three pages were written at
 * once, the message contains sizes of buffers that LMDB did not set, so only its length counts.
 */
function hasOverrun(message: string): boolean {
  const start = message.indexOf(PAGE_WRITE)
  return start >= 0 && message.length - start >= MESSAGE_BYTES
}

/**
 * Converts an error of LMDB or the file system into a refusal if the user can act on it. `isHuge` is true if the commit had half a gigabyte
 * or more.
 */
export function lmdbFailure(error: unknown, dir: string, isHuge = false): unknown {
  if (error instanceof Invalid || !(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  if (hasOverrun(error.message)) return storeError("store.write_failed", { dir, cause: error.message })
  if (code === BAD_TXN && isHuge) return storeError("store.too_much", { dir, cause: error.message })
  // The error of a failed copy has only a text.
  const named = codesByText.find(([text]) => error.message.startsWith(text))?.[1]
  const found = refusalsByCode.find(([codes]) => (codes as readonly unknown[]).includes(code ?? named))
  return found ? storeError(found[1], { dir, cause: error.message }) : error
}

/** Converts an error of reading a directory or a file of a store. */
export function readFailure(error: unknown, dir: string): unknown {
  const isRefused = error instanceof Error && ["EACCES", "EPERM"].includes((error as { code?: string }).code ?? "")
  return isRefused ? storeError("store.not_readable", { dir, cause: error.message }) : openFailure(error, dir)
}

/** Converts an error of opening. Bytes that LMDB cannot read mean that the file is not a store. */
export function openFailure(error: unknown, dir: string): unknown {
  const isForeign = error instanceof Error && NOT_A_STORE.includes((error as { code?: unknown }).code)
  return isForeign ? storeError("store.foreign", { dir }) : lmdbFailure(error, dir)
}
