import { readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { compiledFolder, root } from "./places.js"

const FOLDER = pathToFileURL(compiledFolder).href.replaceAll(/[^\w/]/g, "\\$&")
const PLACE = new RegExp(`${FOLDER}(\\S+)\\.js:(\\d+):(\\d+)`, "g")

/** Replaces the places in compiled modules by those in their sources. */
export function sourcePlaces(stack: string): string {
  return stack.replaceAll(PLACE, (whole, path: string, line: string, column: string) => {
    const found = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!found || !("originalLine" in found)) return whole
    return `${join(root, decodeURI(path))}.ts:${found.originalLine + 1}:${found.originalColumn + 1}`
  })
}

/** The source map of a module, which its compiled form contains. */
function mapOf(path: string): SourceMap | undefined {
  try {
    const text = readFileSync(join(compiledFolder, `${decodeURI(path)}.js`), "utf8")
    const packed = /sourceMappingURL=data:application\/json;base64,(\S+)/.exec(text)?.[1] ?? ""
    return new SourceMap(JSON.parse(Buffer.from(packed, "base64").toString()))
  } catch {
    return undefined
  }
}
