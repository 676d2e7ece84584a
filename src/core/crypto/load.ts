import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/** Loads a package at this call. Throws if it is absent or has no binary for this machine. */
export function load<Package>(name: string): Package {
  return require(name) as Package
}
