import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { storeError } from "../errors.js"
import { checkDataFile } from "../lmdb/childProcess.js"
import { DATA_FILE, prepareBackup, READERS_FILE, restrictNewFiles } from "../lmdb/directory.js"
import { LOCK_FILE } from "../lmdb/holderNote.js"
import { lmdbFailure } from "../lmdb/lmdbFailure.js"
import { type StoreFiles, syncDirectory, syncFile, systemFiles } from "../lmdb/storeFiles.js"
import { makePart, stalePartsOf } from "./backupParts.js"

export interface BackupOptions {
  /** Called at times with the number of bytes written. */
  onBytes?(bytes: number): void
  /** Checks the copy before it is renamed to its final name. If it throws, the backup fails with the same error. */
  verify?(dir: string): Promise<void>
  /** Aborts the backup when the copy is written, or while it is verified. Nothing of it is left then. */
  readonly interrupted?: AbortSignal | undefined
  readonly files?: StoreFiles
}

/** Milliseconds between two checks of the size of the copy. */
const LOOK_EVERY = 100

/**
 * Writes a store into a directory beside the target, reads all rows of it, makes sure that it is on the disk, and renames it. If anything
 * fails, nothing is left. Throws `store.backup_exists`, `store.disk_full` and other errors of the disk.
 */
export async function writeBackup(
  dir: string,
  write: (part: string) => Promise<void>,
  { onBytes = () => {}, verify, interrupted, files = systemFiles }: BackupOptions = {},
): Promise<void> {
  const made = missingAbove(dir)
  prepareBackup(dir)
  for (const stale of stalePartsOf(dir)) rmSync(stale, { recursive: true, force: true })
  let part: string | undefined
  try {
    const path = makePart(dir, files)
    part = path
    interrupted?.throwIfAborted()
    // LMDB cannot be stopped while it copies, and its environment must not be closed meanwhile.
    await watching(join(path, DATA_FILE), onBytes, () => write(path))
    interrupted?.throwIfAborted()
    restrictNewFiles(path, [])
    checkDataFile(path)
    if (verify) await unlessInterrupted(interrupted, verify(path))
    giveName(path, dir, files)
  } catch (error) {
    if (part !== undefined) rmSync(part, { recursive: true, force: true })
    for (const each of made) removeIfEmpty(each)
    throw lmdbFailure(error, dir)
  }
}

/** Makes the copy durable, and renames it. */
function giveName(path: string, dir: string, files: StoreFiles): void {
  // Readers register again when the copy is opened.
  files.remove(join(path, READERS_FILE))
  files.remove(join(path, LOCK_FILE))
  syncFile(files, join(path, DATA_FILE))
  syncDirectory(files, path)
  // Another backup to the same place may have been faster.
  if (readdirSync(dir).length > 0) throw storeError("store.backup_exists", { dir })
  rmdirSync(dir)
  files.rename(path, dir)
  syncDirectory(files, dirname(dir))
}

/** Waits for a promise, at most until it is interrupted. */
async function unlessInterrupted(interrupted: AbortSignal | undefined, work: Promise<void>): Promise<void> {
  if (!interrupted) return work
  interrupted.throwIfAborted()
  await Promise.race([
    work,
    new Promise<never>((_, reject) => {
      interrupted.addEventListener("abort", () => reject(interrupted.reason))
    }),
  ])
}

/** Waits for a promise, and reports the size of a file meanwhile. */
async function watching(path: string, onBytes: (bytes: number) => void, work: () => Promise<void>): Promise<void> {
  const look = () => onBytes(statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  const timer = setInterval(look, LOOK_EVERY)
  try {
    await work()
    look()
  } finally {
    clearInterval(timer)
  }
}

/** Returns the directory and its missing parents, innermost first. */
function missingAbove(dir: string): readonly string[] {
  return existsSync(dir) ? [] : [dir, ...missingAbove(dirname(dir))]
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // The directory is not empty or missing; both are fine.
  }
}
