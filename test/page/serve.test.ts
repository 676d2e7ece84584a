import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { get } from "node:http"
import { join } from "node:path"
import { expect, test } from "vitest"
import { builtSerac } from "./built.js"
import { startSerac } from "./running.js"

const bin = builtSerac()

/** Paths of the page's own files, as the document names them. */
const filesIn = (html: string) => [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1] as string)

test.each(["contract", "avalanchego"])(
  "GET / answers with the page, and all other paths answer as before, in the dialect %s",
  async (dialect) => {
    await using node = await startSerac(bin, ["--api-dialect", dialect])
    const page = await fetch(`${node.url}/`)
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    const paths = filesIn(await page.text())
    expect(paths.map((path) => path.replace(/-[\w-]{8}\./, "-HASH.")).sort()).toEqual([
      "/assets/icon-HASH.svg",
      "/assets/index-HASH.css",
      "/assets/index-HASH.js",
    ])
    for (const path of paths) expect((await fetch(node.url + path)).status).toBe(200)
    expect((await fetch(`${node.url}/`, { method: "HEAD" })).status).toBe(200)
    const others = [
      ["POST", "/"],
      ["PUT", "/"],
      ["GET", "/index.html"],
      ["GET", "/assets/"],
      ["POST", paths[0] as string],
    ] as const
    for (const [method, path] of others) {
      const response = await fetch(node.url + path, { method })
      const [words] = (await response.text()).split(/[:\n]/)
      expect([method, path, response.status, words]).toEqual([method, path, 404, "404 page not found"])
    }
  },
)

test("with --no-page the node serves no page", async () => {
  await using node = await startSerac(bin, ["--no-page"])
  expect((await fetch(`${node.url}/`)).status).toBe(404)
})

test("a public server serves the page without information about the node, and not to a host that is not allowed", async () => {
  await using node = await startSerac(bin, ["--public", "--http-allowed-hosts", "example.org"])
  const page = await fetch(`${node.url}/`)
  expect([page.status, page.headers.get("node-id")]).toEqual([200, null])
  const { port } = new URL(node.url)
  // localhost is allowed beside the names that are given.
  const statuses = ["localhost", "example.org", "example.com"].map(async (host) => {
    const [response] = await once(get({ port, headers: { host } }), "response")
    response.resume()
    return response.statusCode
  })
  expect(await Promise.all(statuses)).toEqual([200, 200, 403])
})

test("all files of the page together take less than the 41 kB that docs/decisions.md names, compressed either way", () => {
  const dir = join(bin, "../../dist/page")
  const sizeOf = (extension: string) =>
    filesBelow(dir)
      .filter((path) => path.endsWith(extension))
      .reduce((sum, path) => sum + readFileSync(path).length, 0)
  for (const extension of [".gz", ".br"]) expect(sizeOf(extension)).toBeLessThan(41_000)
  expect(sizeOf(".br")).toBeGreaterThan(5000)
})

function filesBelow(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
