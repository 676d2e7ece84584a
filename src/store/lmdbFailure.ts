import { Invalid } from "../core/lib/invalid.js"
import { storeError } from "./errors.js"

// As LMDB and the file system number and name them. (Node says ENOENT of a directory it cannot make on a read-only disk.)
const NOT_PERMITTED: readonly unknown[] = [1, 13, 30, "EPERM", "EACCES", "EROFS", "ENOENT"]
// LMDB says 5, input/output error, where a write ended early: nearly always since the room did.
const NO_ROOM: readonly unknown[] = [5, 27, 28, 122, "EIO", "EFBIG", "ENOSPC", "EDQUOT"]
const TOO_MANY: readonly unknown[] = [12, 23, 24, "ENOMEM", "ENFILE", "EMFILE"]
const MAP_FULL = -30792
// MDB_TXN_FULL, and MDB_BAD_TXN, which the transaction around a full one ends with.
const TOO_MUCH: readonly unknown[] = [-30788, -30782]
const NOT_A_STORE: readonly unknown[] = [-30793, -30794, -30796, 20, 22, "ENOTDIR", "EEXIST"]

/** What LMDB or the file system says, as a refusal where the user can do something about it. */
export function lmdbFailure(error: unknown, dir: string): unknown {
  if (error instanceof Invalid || !(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  if (NO_ROOM.includes(code)) return storeError("store.disk_full", { dir, cause: error.message })
  if (TOO_MANY.includes(code)) return storeError("store.too_many_open", { dir })
  if (TOO_MUCH.includes(code)) return storeError("store.too_much", { dir, cause: error.message })
  if (code === MAP_FULL) return storeError("store.full", { dir })
  if (NOT_PERMITTED.includes(code)) return storeError("store.not_writable", { dir })
  return error
}

/** The same for opening, where bytes that LMDB cannot read mean that they are not ours. */
export function openFailure(error: unknown, dir: string): unknown {
  const isForeign = error instanceof Error && NOT_A_STORE.includes((error as { code?: unknown }).code)
  return isForeign ? storeError("store.foreign", { dir }) : lmdbFailure(error, dir)
}
