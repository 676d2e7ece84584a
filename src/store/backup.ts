import { randomBytes } from "node:crypto"
import { existsSync, rmdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { makeOwnerDirectory } from "../files/ownerOnly.js"
import { checkDataFile, DATA_FILE } from "./dataFile.js"
import { prepareBackup, restrictNewFiles } from "./directory.js"
import { lmdbFailure } from "./lmdbFailure.js"
import { type StoreFiles, syncDirectory, systemFiles } from "./storeFiles.js"

/**
 * Writes a store into a directory beside the one that is wanted, makes sure that every page of it is whole and on the disk, and gives it
 * its name. Whatever fails, nothing is left. Throws `store.backup_exists`, `store.disk_full` and whatever else the disk refuses.
 */
export async function writeBackup(
  dir: string,
  write: (part: string) => Promise<void>,
  files: StoreFiles = systemFiles,
): Promise<void> {
  const made = missingAbove(dir)
  prepareBackup(dir)
  const part = `${dir}.${randomBytes(6).toString("hex")}.part`
  try {
    makeOwnerDirectory(part)
    await write(part)
    restrictNewFiles(part, [])
    checkDataFile(part, "whole")
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
