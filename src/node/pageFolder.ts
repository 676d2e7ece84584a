import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** Directory of the built page, relative to a bundle in dist/, to one of its chunks, and to src/node/. */
const PLACES = ["./page", "../page", "../../dist/page"]

/** Finds the folder of the built page; `undefined` if the page was not built. */
export function pageFolder(): string | undefined {
  return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((dir) =>
    existsSync(join(dir, "index.html.gz")),
  )
}
