import { randomBytes } from "node:crypto"
import { readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import type { RootDatabase } from "lmdb"
import { OWNER_FILE } from "../../files/ownerOnly.js"
import { load } from "../../platform/load.js"
import { LOCK_FILE } from "./holderNote.js"
import { type StoreFiles, syncDirectory, writeNewFile } from "./storeFiles.js"

/** Properties with which the LMDB environment of a store is opened. */
export interface RootOptions {
  readonly dir: string
  readonly readOnly: boolean
  /** Lets the disk catch up while the next commit is made, see `LmdbOptions`. */
  readonly isLazy: boolean
  readonly maxDatabases: number
  readonly mapSize: number
}

/** Opens the LMDB environment of a store. */
export function openRoot({ dir, readOnly, isLazy, maxDatabases, mapSize }: RootOptions): RootDatabase {
  return load<typeof import("lmdb")>("lmdb").open({
    path: dir,
    // Otherwise a directory with a dot in its name would be taken for a file.
    noSubdir: false,
    readOnly,
    maxDbs: maxDatabases,
    // Each open snapshot needs one.
    maxReaders: 1024,
    mapSize,
    // A commit is on the disk when it returns, unless the store is lazy.
    overlappingSync: isLazy,
    encoding: "binary",
    keyEncoding: "binary",
  })
}

/**
 * Makes an LMDB file without rows beside its place and renames it, so that no process ever sees a partial one: an empty or truncated file is
 * therefore damaged, and never becomes a new chain. The store is locked.
 */
export function makeLmdbFile(path: string, files: StoreFiles): void {
  const part = `${dirname(path)}/${LOCK_FILE}.${randomBytes(6).toString("hex")}.new`
  try {
    writeNewFile(files, part, emptyLmdbFile(dirname(path)), OWNER_FILE)
    files.rename(part, path)
    syncDirectory(files, dirname(path))
  } finally {
    files.remove(part)
  }
}

/** Returns the bytes of an LMDB file without rows. LMDB makes one in this directory, which is removed. */
export function emptyLmdbFile(dir: string): Uint8Array {
  const path = join(dir, `${LOCK_FILE}.${randomBytes(6).toString("hex")}.probe`)
  try {
    void load<typeof import("lmdb")>("lmdb")
      .open({ path, noSubdir: true, overlappingSync: false, mapSize: 1 << 20 })
      .close()
    return readFileSync(path)
  } finally {
    for (const each of [path, `${path}-lock`]) rmSync(each, { force: true })
  }
}
