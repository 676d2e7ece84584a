import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { brokenLinks } from "../links.js"
import { root } from "../sources.js"
import { type BuiltPackage, buildPackage } from "./package.js"

let built: BuiltPackage
let files: string[]

beforeAll(() => {
  built = buildPackage()
  files = built.packed()
})
afterAll(() => built?.remove())

test("the tarball has the command, the library with its types, the guides, the examples and the licences of what it carries", () => {
  const wanted = ["bin/serac", "dist/index.js", "dist/types/index.d.ts", "docs/quick-start.md", "docs/openrpc.json"]
  const carried = ["dist/vendor/lmdb/licenses/lmdb"]
  const more = ["examples/send-avax.js", "README.md", "LICENSE", ...carried]
  expect([...wanted, ...more].filter((name) => !files.includes(name))).toEqual([])
  expect(files.filter((name) => /(^|\/)(src|test|bench|node_modules)\/|^dist\/dev\/|\.test\.ts$/.test(name))).toEqual([])
})

test("every relative link of every page in the tarball leads to a file in it, and to an existing heading", () => {
  const pages = files.filter((name) => name.endsWith(".md"))
  expect(pages.length).toBeGreaterThan(12)
  expect(pages.flatMap((page) => brokenLinks(built.dir, page, files))).toEqual([])
})

test("the manifest has keywords and no address that leads nowhere", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  expect(manifest.keywords).toContain("avalanche")
  // There is no public repository and no home page yet; npm prints these members as links.
  expect([manifest.repository, manifest.homepage, manifest.bugs]).toEqual([undefined, undefined, undefined])
})

interface LockedPackage {
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
}

test("neither the package nor any of its dependencies has an install script, about which npm would warn", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  expect(["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts)).toEqual([])
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>
  }
  const scripted = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => hasInstallScript && !dev)
  expect(scripted.map(([name]) => name)).toEqual([])
})
