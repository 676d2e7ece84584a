import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { writeWholeFile } from "../../src/files/writeWholeFile.js"
import { root } from "../sources.js"

/** Everything that a page about the sources depends on: the sources, the programs that write pages, and the installed packages. */
const INPUTS = ["src", "test/docs", "tsconfig.json", "package-lock.json"]

/**
 * Returns a page that is computed from the sources. The page of the last run is returned if no input has changed since: the compiler takes
 * thirteen seconds to read all types of the library.
 */
export async function cachedPage(name: string, compute: () => Promise<string>): Promise<string> {
  const path = join(root, "node_modules/.cache/serac-pages", name)
  const firstLine = `${hashOfInputs()}\n`
  const found = existsSync(path) ? readFileSync(path, "utf8") : ""
  if (found.startsWith(firstLine)) return found.slice(firstLine.length)
  const page = await compute()
  mkdirSync(dirname(path), { recursive: true })
  writeWholeFile(path, firstLine + page)
  return page
}

function hashOfInputs(): string {
  const hash = createHash("sha256")
  for (const path of INPUTS.flatMap(filesAt)) hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  return hash.digest("hex")
}

function filesAt(path: string): string[] {
  if (/\.json$/.test(path)) return [path]
  const names = readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
  return names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${path}/${name}`)
    .sort()
}
