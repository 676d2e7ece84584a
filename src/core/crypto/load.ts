import { createRequire } from "node:module"

const require = createRequire(import.meta.url)

/** A package, loaded at this call and not before; throws where it is absent or has no binary for this machine. */
export function load<Package>(name: string): Package {
  return require(name) as Package
}
