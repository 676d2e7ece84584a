import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/** Loads a package at this call. Throws if it is absent or has no binary for this machine. */
export function load<Package>(name: string): Package {
  return require(name) as Package
}

/** Returns the file of a package, for another process that loads it. */
export function packageFile(name: string): string {
  return require.resolve(name)
}
