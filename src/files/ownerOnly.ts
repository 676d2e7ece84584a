import { chmodSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** Mode of a directory that only its owner may enter. */
const OWNER_DIRECTORY = 0o700

/** Mode of a file that only its owner may read and write. */
export const OWNER_FILE = 0o600

/**
 * Makes a directory, and those above it that are missing, for their owner alone. One that exists keeps its mode. Throws what the file system
 * refuses; `mkdirSync` with `recursive` never returns where a system such as /proc says that a directory does not exist and cannot be made.
 */
export function makeOwnerDirectory(dir: string): void {
  const isThere = () => statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true
  if (isThere()) return
  if (dirname(dir) !== dir) makeOwnerDirectory(dirname(dir))
  try {
    mkdirSync(dir, { mode: OWNER_DIRECTORY })
  } catch (error) {
    // Another process may have made it since.
    if (!isThere()) throw error
  }
}

/** Leaves a file to its owner alone, whatever mode the program that made it gave it. */
export function restrictToOwner(path: string): void {
  chmodSync(path, OWNER_FILE)
}
