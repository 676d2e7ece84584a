import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { brokenLinks, treeOf } from "../links.js"
import { root } from "../sources.js"
import { type BuiltPackage, buildPackage } from "./package.js"

const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"))

let built: BuiltPackage
let files: string[]

beforeAll(() => {
  built = buildPackage()
  execFileSync(process.execPath, [join(root, "scripts/docs.mjs"), join(built.dir, "docs/reference")])
  files = built.packed()
}, 240_000)
afterAll(() => built?.remove())

test("the tarball has the command, the library with its types, the guides, the reference and the examples", () => {
  const wanted = ["bin/serac", "dist/index.js", "dist/index.d.ts", "docs/quick-start.md", "docs/reference/openrpc.json"]
  const more = ["examples/send-avax.js", "README.md", "LICENSE"]
  expect([...wanted, ...more].filter((name) => !files.includes(name))).toEqual([])
  expect(files.filter((name) => /(^|\/)(src|test|bench|node_modules)\/|^dist\/dev\/|\.test\.ts$/.test(name))).toEqual([])
})

test("every relative link of every page in the tarball leads to a file in it, and to an existing heading", () => {
  const pages = files.filter((name) => name.endsWith(".md"))
  expect(pages.length).toBeGreaterThan(12)
  expect(pages.flatMap((page) => brokenLinks(treeOf(built.dir, files), page))).toEqual([])
})

test("the manifest names its repository, its author and provenance", () => {
  const { keywords, repository, author, publishConfig } = readJson("package.json")
  expect(keywords).toContain("avalanche")
  expect(repository.url).toMatch(/^git\+https:\/\/github\.com\/[\w-]+\/serac\.git$/)
  expect([author, publishConfig]).toEqual([expect.any(String), { access: "public", provenance: true }])
})

test("npm builds the program and makes the reference before it packs", () => {
  expect(readJson("package.json").scripts.prepack).toBe("node scripts/build.mjs && node scripts/docs.mjs")
})

test("the package has no install script", () => {
  const { scripts } = readJson("package.json")
  expect(["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts)).toEqual([])
})

test("the version stands in package.json, and nowhere else in the sources", () => {
  const { version } = readJson("package.json")
  const others = ["src/node/version.ts", "Dockerfile", "bin/serac"].filter((name) =>
    readFileSync(join(root, name), "utf8").includes(version),
  )
  expect(others).toEqual([])
})
