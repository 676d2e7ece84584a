import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Returns the first page of the guides, if they were installed with the program; otherwise `undefined`. */
export function docsPage(): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url))
  // The bundle is one or two folders below the package, the sources two.
  for (let i = 0; i < 3; i++) {
    const page = join(folder, "docs/quick-start.md")
    if (existsSync(page)) return page
    folder = dirname(folder)
  }
  return undefined
}
