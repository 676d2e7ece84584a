import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the project. */
export const root = fileURLToPath(new URL("../../", import.meta.url))

/** The folder of the modules that `hooks.mjs` has compiled, each below its path in the project. */
export const compiledFolder = join(root, "node_modules/.cache/serac-modules/")

/** Replaces the places in compiled modules by those in their sources. Modules that Node has imported appear in a stack as URLs, others as paths. */
export function sourcePlaces(stack: string): string {
  return stack.replaceAll(/(file:\S+\.ts):(\d+):(\d+)/g, (whole, url: string, line: string, column: string) => {
    const path = fileURLToPath(url)
    const found = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1)
    return found && "originalLine" in found ? `${path}:${found.originalLine + 1}:${found.originalColumn + 1}` : whole
  })
}

/** The source map of a module, which its compiled form contains. */
function mapOf(path: string): SourceMap | undefined {
  try {
    const text = readFileSync(join(compiledFolder, `${path.slice(root.length)}.js`), "utf8")
    const packed = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(text)?.[1] ?? ""
    return new SourceMap(JSON.parse(Buffer.from(packed, "base64").toString()))
  } catch {
    return undefined
  }
}
