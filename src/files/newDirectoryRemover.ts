import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Returns a function that removes a directory which does not exist yet, and those of its missing parents that are empty then. It does
 * nothing if the directory exists already.
 */
export function newDirectoryRemover(dir: string): () => void {
  const missing: string[] = []
  for (let at = dir; !existsSync(at); at = dirname(at)) missing.push(at)
  return () => {
    const [own, ...parents] = missing
    if (own === undefined) return
    rmSync(own, { recursive: true, force: true })
    for (const parent of parents) {
      if (!existsSync(parent) || readdirSync(parent).length > 0) return
      rmdirSync(parent)
    }
  }
}
