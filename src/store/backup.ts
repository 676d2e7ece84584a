import { randomBytes } from "node:crypto"
import { existsSync, rmdirSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { makeOwnerDirectory } from "../files/ownerOnly.js"
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

/** How often it is looked how much was written, milliseconds. */
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
  const part = `${dir}.${randomBytes(6).toString("hex")}.part`
  try {
    makeOwnerDirectory(part)
    await unlessInterrupted(
      interrupted,
      watching(join(part, DATA_FILE), onBytes, () => write(part)),
    )
    restrictNewFiles(part, [])
    checkDataFile(part, "whole")
    if (verify) await unlessInterrupted(interrupted, verify(part))
    // Readers sign in anew where the copy is opened.
    files.remove(join(part, READERS_FILE))
    syncFile(files, join(part, DATA_FILE))
    syncDirectory(files, part)
    rmdirSync(dir)
    files.rename(part, dir)
    syncDirectory(files, dirname(dir))
  } catch (error) {
    rmSync(part, { recursive: true, force: true })
    for (const each of made) removeIfEmpty(each)
    throw lmdbFailure(error, dir)
  }
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
