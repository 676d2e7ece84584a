import { readFileSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import type { RootDatabase } from "lmdb"
import type { AnyTable } from "../../core/state/table.js"
import { OWNER_FILE } from "../../files/ownerOnly.js"
import { load } from "../../platform/load.js"
import { newPath } from "./holderNote.js"
import { type StoreFiles, syncDirectory, writeNewFile } from "./storeFiles.js"

/** The size of the first two pages, which every file of LMDB has, bytes. */
export const TWO_PAGES = 8192

/** How the LMDB environment of a store is opened, the first time and again. */
export interface Environment {
  readonly dir: string
  readonly tables: readonly AnyTable[]
  readonly readOnly: boolean
  /** True if commits are not flushed to the disk, see `LmdbOptions.isLazy`. */
  readonly isUnflushed: boolean
  /** The address space of the file, bytes, and whether the file may not outgrow it. */
  readonly mapSize: number
  readonly isFixed: boolean
  readonly files: StoreFiles
}

export function openRoot({ dir, tables, readOnly, isUnflushed, mapSize }: Environment): RootDatabase {
  return load<typeof import("lmdb")>("lmdb").open({
    path: dir,
    // Otherwise a directory with a dot in its name would be taken for a file.
    noSubdir: false,
    readOnly,
    // Each table has two databases, and there is room for the tables of later versions.
    maxDbs: 2 * tables.length + 64,
    // Each open snapshot needs one, and each iterator of a plugin.
    maxReaders: 8192,
    mapSize,
    // A commit is on the disk when it returns, unless the store is flushed only at its end.
    overlappingSync: false,
    noSync: isUnflushed,
    encoding: "binary",
    keyEncoding: "binary",
  })
}

/**
 * Makes an LMDB file without rows beside its place and renames it, so that no process ever sees a partial one: an empty or truncated file is
 * therefore damaged, and never becomes a new chain. The store is locked.
 */
export function makeLmdbFile(path: string, files: StoreFiles): void {
  const part = newPath(dirname(path), "new")
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
  const path = newPath(dir, "probe")
  try {
    void load<typeof import("lmdb")>("lmdb")
      .open({ path, noSubdir: true, overlappingSync: false, mapSize: 1 << 20 })
      .close()
    return readFileSync(path)
  } finally {
    for (const each of [path, `${path}-lock`]) rmSync(each, { force: true })
  }
}
