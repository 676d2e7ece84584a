import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { LOCAL_ID, networkNameOf } from "../core/networks/names.js"
import { nodeError } from "./errors.js"

/** Returns the default data directory of a network. Throws `node.no_home` if the environment names no home directory. */
export function defaultDataDir(networkID: number): string {
  const home = homedir()
  if (home === "") throw nodeError("node.no_home")
  return join(home, ".serac", networkNameOf(networkID))
}

/** Returns the default data directory of forks. Throws `node.no_home`. */
export const defaultForkDir = (): string => join(defaultDataDir(LOCAL_ID), "..", "fork")

/** Returns the directory of the chain in a data directory. */
export const chainDir = (dataDir: string): string => join(dataDir, "chain")

/** Returns the directory of the rows of a fork in its data directory. */
export const forkDir = (dataDir: string): string => join(dataDir, "fork")

/** Returns the data directory of a chain that was made for a fork, because no other directory has it at the required height. */
export const ownBaseDir = (dataDir: string): string => join(dataDir, "base")

export const holdsFork = (dataDir: string): boolean => existsSync(join(forkDir(dataDir), "data.mdb"))

/** Throws `node.is_a_fork` if a data directory has a fork, for operations that need a chain of its own. */
export function requireNoFork(dataDir: string): void {
  if (holdsFork(dataDir)) throw nodeError("node.is_a_fork", { dataDir })
}
