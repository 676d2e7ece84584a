import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { gunzipSync } from "node:zlib"
import type { HeaderList } from "../request/cors.js"
import type { Exchange } from "../request/exchange.js"
import { type HttpResponse, plainText } from "../response/send.js"

/** A file that is served from memory, compressed when it was built. */
export interface StaticFile {
  /** Its Content-Type. */
  readonly type: string
  /** True if the path contains a hash of the content. Such a file never changes and is cached for a year. */
  readonly isHashed: boolean
  /** The quoted ETag of the content. */
  readonly tag: string
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** Files by path. The function reads them at its first call, so that they do not delay the start of a server. */
export type StaticFiles = () => ReadonlyMap<string, StaticFile>

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
}

/** Returns the compressed files of a folder, read at the first call; none if there is no such folder. */
export function filesIn(dir: string | undefined): StaticFiles {
  let files: ReadonlyMap<string, StaticFile> | undefined
  return () => {
    files ??= dir === undefined ? new Map() : readFolder(dir)
    return files
  }
}

function readFolder(dir: string): ReadonlyMap<string, StaticFile> {
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

/** Allows scripts, styles and calls of the same origin only; nothing inline, no frames, no forms to other sites. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

const SAFETY: HeaderList = [
  "Content-Security-Policy",
  POLICY,
  "X-Content-Type-Options",
  "nosniff",
  "Referrer-Policy",
  "no-referrer",
  "Cross-Origin-Opener-Policy",
  "same-origin",
]

/** Answers a GET or HEAD of a file with the smallest form that the client accepts; `undefined` for every other request. */
export function fileResponse(
  files: StaticFiles,
  { request, target }: Pick<Exchange, "request" | "target">,
): HttpResponse | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") return undefined
  if (target.path !== "/" && !target.path.startsWith("/assets/")) return undefined
  const file = files().get(target.path)
  if (!file) return undefined
  const caching = file.isHashed ? "public, max-age=31536000, immutable" : "no-cache"
  const common = ["Cache-Control", caching, "ETag", file.tag, "Vary", "Accept-Encoding", ...SAFETY]
  if (request.headers["if-none-match"] === file.tag) return { status: 304, headers: common, body: [] }
  const [encoding, body] = bodyFor(file, request.headers["accept-encoding"])
  if (!body) return plainText(406, "this file is served as br, gzip or identity")
  return { status: 200, headers: ["Content-Type", file.type, ...encoding, ...common], body: [body] }
}

function bodyFor({ brotli, gzip }: StaticFile, accepted: string | string[] | undefined): [HeaderList, Uint8Array | undefined] {
  const accepts = encodingsIn(String(accepted ?? ""))
  if (accepts("br")) return [["Content-Encoding", "br"], brotli]
  if (accepts("gzip")) return [["Content-Encoding", "gzip"], gzip]
  return [[], accepts("identity") ? gunzipSync(gzip) : undefined]
}

/**
 * Returns a function that checks whether an Accept-Encoding header accepts an encoding. `identity` is accepted unless the header excludes
 * it.
 */
function encodingsIn(header: string): (encoding: string) => boolean {
  const weights = new Map(
    header.split(",").map((each) => {
      const [name = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase())
      const quality = parameters.find((part) => part.startsWith("q="))
      return [name, quality === undefined ? 1 : Number(quality.slice(2))] as const
    }),
  )
  return (encoding) => (weights.get(encoding) ?? weights.get("*") ?? (encoding === "identity" ? 1 : 0)) > 0
}
