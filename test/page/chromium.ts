import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"

const NAMES = ["chromium", "chromium-browser", "google-chrome"]

/** Path of chromium: `SERAC_CHROMIUM`, or the first one on the PATH; `undefined` if there is none. */
export function findChromium(): string | undefined {
  const named = process.env.SERAC_CHROMIUM
  if (named !== undefined && named !== "") return named
  const folders = (process.env.PATH ?? "").split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path))
}
