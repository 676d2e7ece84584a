import { chmodSync, mkdirSync } from "node:fs"

/** Mode of a directory that only its owner may enter. */
const OWNER_DIRECTORY = 0o700

/** Mode of a file that only its owner may read and write. */
export const OWNER_FILE = 0o600

/** Makes a directory, and those above it that are missing, for their owner alone. One that exists keeps its mode. */
export function makeOwnerDirectory(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: OWNER_DIRECTORY })
}

/** Leaves a file to its owner alone, whatever mode the program that made it gave it. */
export function restrictToOwner(path: string): void {
  chmodSync(path, OWNER_FILE)
}
