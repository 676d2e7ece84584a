// Names the state of everything that a build depends on, so that a build is known to be current or not.
import { createHash } from "node:crypto"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

const INPUTS = ["bin", "src", "scripts", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.types.json"]

/** The file of a whole build that contains the hash of its sources. */
export const HASH_FILE = "sources.hash"

/** Returns a hash of the names, sizes and times of the sources. */
export function sourcesHash(root) {
  const hash = createHash("sha256")
  for (const input of INPUTS) addFiles(hash, root, input)
  return hash.digest("hex").slice(0, 16)
}

function addFiles(hash, root, path) {
  const full = join(root, path)
  const found = statSync(full)
  if (found.isDirectory()) {
    for (const name of readdirSync(full).sort()) addFiles(hash, root, `${path}/${name}`)
    return
  }
  hash.update(`${path} ${found.size} ${found.mtimeMs}\n`)
}
