import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Returns the folder of the guides, if they were installed with the program; otherwise `undefined`. */
export function docsFolder(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url))
  // The bundle is one or two folders below the package, the sources two.
  for (let i = 0; i < 3; i++) {
    const docs = join(folder, "docs")
    if (existsSync(join(docs, "quick-start.md"))) return docs
    folder = dirname(folder)
  }
  return undefined
}
