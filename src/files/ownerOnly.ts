import { chmodSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/** Mode of a directory that only its owner may enter. */
const OWNER_DIRECTORY = 0o700

/** Mode of a file that only its owner may read and write. */
export const OWNER_FILE = 0o600

/**
 * Makes a directory and its missing parents for their owner only. An existing directory keeps its mode. Throws the file system's error.
 * `mkdirSync` with `recursive` never returns if a file system such as /proc reports that a directory does not exist and cannot be made, so
 * it is not used.
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

/** Restricts a file to its owner, whatever mode it was created with. */
export function restrictToOwner(path: string): void {
  chmodSync(path, OWNER_FILE)
}
