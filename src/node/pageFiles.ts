import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type { StaticFile, StaticFiles } from "../jsonrpc/http/route/staticFiles.js"

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
}

/** Directory of the built page, relative to a bundle in dist/, to one of its chunks, and to src/node/. */
const PLACES = ["./page", "../page", "../../dist/page"]

/** Finds the folder of the built page; `undefined` if the page was not built. */
export function pageFolder(): string | undefined {
  return PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((dir) =>
    existsSync(join(dir, "index.html.gz")),
  )
}

/** Returns the files of the page, read from a folder at the first call; none if there is no such folder. */
export function pageFilesIn(dir: string | undefined): StaticFiles {
  let files: ReadonlyMap<string, StaticFile> | undefined
  return () => {
    files ??= dir === undefined ? new Map() : readPage(dir)
    return files
  }
}

function readPage(dir: string): ReadonlyMap<string, StaticFile> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".gz"))
  return new Map(
    names.map((name) => {
      const path = name.slice(0, -".gz".length)
      return [path === "index.html" ? "/" : `/${path.split(sep).join("/")}`, readFile(join(dir, path))] as const
    }),
  )
}

function readFile(path: string): StaticFile {
  const [gzip, brotli] = [readFileSync(`${path}.gz`), readFileSync(`${path}.br`)]
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream"
  const tag = `"${createHash("sha256").update(gzip).digest("base64url").slice(0, 16)}"`
  return { type, isHashed: !path.endsWith("index.html"), tag, brotli, gzip }
}
