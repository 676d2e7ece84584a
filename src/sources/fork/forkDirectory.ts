import { existsSync } from "node:fs"
import { join } from "node:path"
import { nodeError } from "../../datadir/errors.js"

/** Returns the directory of the rows of a fork in its data directory. */
export const forkDir = (dataDir: string): string => join(dataDir, "fork")

/** Returns the data directory of a chain that was made for a fork, because no other directory has it at the required height. */
export const ownBaseDir = (dataDir: string): string => join(dataDir, "base")

export const holdsFork = (dataDir: string): boolean => existsSync(join(forkDir(dataDir), "data.mdb"))

/** Throws `node.is_a_fork` if a data directory has a fork, for operations that need a chain of its own. */
export function requireNoFork(dataDir: string): void {
  if (holdsFork(dataDir)) throw nodeError("node.is_a_fork", { dataDir })
}
