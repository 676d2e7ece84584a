import { brotliCompressSync, gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { fileResponse, type StaticFile } from "./staticFiles.js"

const TEXT = "<!doctype html><title>a page</title>"

const file = (isHashed: boolean): StaticFile => ({
  type: "text/html; charset=utf-8",
  isHashed,
  tag: '"one"',
  brotli: brotliCompressSync(TEXT),
  gzip: gzipSync(TEXT),
})

const files = new Map([
  ["/", file(false)],
  ["/assets/app-1a2b.js", file(true)],
  ["/ext/info", file(true)],
])

function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  return fileResponse(() => files, { request: { rawHeaders: [], method, headers, url: path }, target: { path, query: "" } })
}

const headersOf = (answer: ReturnType<typeof ask>) => {
  const list = answer?.headers ?? []
  return Object.fromEntries(list.flatMap((name, i) => (i % 2 === 0 ? [[name, list[i + 1]]] : [])))
}

test.each([
  ["gzip, deflate, br", "br"],
  ["gzip, br;q=0", "gzip"],
  ["*", "br"],
  ["deflate", undefined],
  ["", undefined],
])("Accept-Encoding %j is answered with %s", (accepted, encoding) => {
  const answer = ask("/", { "accept-encoding": accepted })
  expect(headersOf(answer)["Content-Encoding"]).toBe(encoding)
  const expected = encoding === "br" ? brotliCompressSync(TEXT) : encoding === "gzip" ? gzipSync(TEXT) : Buffer.from(TEXT)
  expect(Buffer.concat(answer?.body ?? [])).toEqual(expected)
})

test("a client that accepts no encoding of a file gets 406", () => {
  expect(ask("/", { "accept-encoding": "identity;q=0" })?.status).toBe(406)
})

test("a file with a hash in its path is cached for a year, the document is asked for again and answered 304", () => {
  expect(headersOf(ask("/assets/app-1a2b.js"))["Cache-Control"]).toBe("public, max-age=31536000, immutable")
  expect(headersOf(ask("/"))["Cache-Control"]).toBe("no-cache")
  expect(ask("/", { "if-none-match": '"one"' })).toMatchObject({ status: 304, body: [] })
  expect(ask("/", { "if-none-match": '"other"' })?.status).toBe(200)
})

test("every file forbids inline scripts, other origins and frames", () => {
  expect(headersOf(ask("/"))).toMatchObject({
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
  })
})

test("other methods and other paths are left to the next step", () => {
  expect(ask("/", {}, "HEAD")?.status).toBe(200)
  expect(ask("/", {}, "POST")).toBeUndefined()
  expect(ask("/index.html")).toBeUndefined()
  expect(ask("/assets/none.js")).toBeUndefined()
  expect(ask("/ext/info")).toBeUndefined()
})
