import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { needs } from "../needs.js"

const NAMES = ["chromium", "chromium-browser", "google-chrome"]

/** Options of a test in a browser. */
export const needsChromium = needs(findChromium() !== undefined, "chromium, on the PATH or named by SERAC_CHROMIUM")

/** Path of chromium: `SERAC_CHROMIUM`, or the first one on the PATH; `undefined` if there is none. */
export function findChromium(): string | undefined {
  const named = process.env.SERAC_CHROMIUM
  if (named !== undefined && named !== "") return named
  const folders = (process.env.PATH ?? "").split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find((path) => existsSync(path))
}
