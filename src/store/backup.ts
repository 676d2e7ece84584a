import { existsSync, rmdirSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { makePart, removePartNote, removeStaleParts } from "./backupParts.js"
import { checkDataFile, DATA_FILE } from "./dataFile.js"
import { prepareBackup, READERS_FILE, restrictNewFiles } from "./directory.js"
import { lmdbFailure } from "./lmdbFailure.js"
import { type StoreFiles, syncDirectory, systemFiles } from "./storeFiles.js"

/** Options of a backup. */
export interface BackupOptions {
  /** Called now and then with the bytes that were written. */
  onBytes?(bytes: number): void
  /** Makes sure that the copy can be relied on, before it is given its name; what it throws, the backup fails with. */
  verify?(dir: string): Promise<void>
  /** Ends the backup, of which nothing is left then. */
  readonly interrupted?: AbortSignal | undefined
  readonly files?: StoreFiles
}

/** Milliseconds between two looks at the size of the copy. */
const LOOK_EVERY = 100

/**
 * Writes a store into a directory beside the one that is wanted, makes sure that every page of it is whole and on the disk, and gives it
 * its name. Whatever fails, nothing is left. Throws `store.backup_exists`, `store.disk_full` and whatever else the disk refuses.
 */
export async function writeBackup(
  dir: string,
  write: (part: string) => Promise<void>,
  { onBytes = () => {}, verify, interrupted, files = systemFiles }: BackupOptions = {},
): Promise<void> {
  const made = missingAbove(dir)
  prepareBackup(dir)
  removeStaleParts(dir)
  let part: string | undefined
  try {
    const path = makePart(dir, files)
    part = path
    await unlessInterrupted(
      interrupted,
      watching(join(path, DATA_FILE), onBytes, () => write(path)),
    )
    restrictNewFiles(path, [])
    checkDataFile(path, "whole")
    if (verify) await unlessInterrupted(interrupted, verify(path))
    giveName(path, dir, files)
  } catch (error) {
    if (part !== undefined) await removePart(part)
    for (const each of made) removeIfEmpty(each)
    throw lmdbFailure(error, dir)
  }
}

/** Makes the copy durable, and gives it its name. */
function giveName(path: string, dir: string, files: StoreFiles): void {
  // Readers sign in anew where the copy is opened.
  files.remove(join(path, READERS_FILE))
  removePartNote(path, files)
  syncFile(files, join(path, DATA_FILE))
  syncDirectory(files, path)
  rmdirSync(dir)
  files.rename(path, dir)
  syncDirectory(files, dirname(dir))
}

/** Waits for something, and no longer than until it is interrupted. */
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

/** Does something, and tells meanwhile how large a file has become. */
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

/** The directory and those above it that do not exist yet, innermost first. */
function missingAbove(dir: string): readonly string[] {
  return existsSync(dir) ? [] : [dir, ...missingAbove(dirname(dir))]
}

/** Removes what was written so far. LMDB may be about to make its file there, and cannot be told to stop. */
async function removePart(part: string): Promise<void> {
  for (let attempt = 0; attempt < 100 && existsSync(part); attempt++) {
    try {
      rmSync(part, { recursive: true, force: true })
    } catch {
      await setTimeout(10)
    }
  }
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // It holds something, or is gone: either is fine.
  }
}

function syncFile(files: StoreFiles, path: string): void {
  const handle = files.open(path, "r+")
  try {
    files.sync(handle)
  } finally {
    files.close(handle)
  }
}
