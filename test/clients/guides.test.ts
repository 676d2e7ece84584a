import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../needs.js"
import { root } from "../sources.js"
import { Reader } from "./docsRunner.js"
import { blocksOf, isShown } from "./guideBlocks.js"
import { buildPackage } from "./package.js"

const guides = [
  "../README.md",
  "quick-start.md",
  "testing.md",
  "from-anvil.md",
  "ci.md",
  "l1-life-cycle.md",
  "l1-health.md",
  "operating.md",
  "validator.md",
  "custody.md",
  "serving.md",
  "limits.md",
  "deployment.md",
  "client.md",
  "codec.md",
]
/** The commands of guides that install; test/clients/tarball.test.ts checks the package that they would install. */
const installs = [
  "npm ci && npm pack",
  "npm init -y && npm pkg set type=module",
  "npm install --save-dev ../serac/serac-0.1.0.tgz @avalabs/avalanchejs@5.2.0",
]
const textOf = (name: string) => readFileSync(join(root, "docs", name), "utf8")
/**
 * A guide's blocks, without those in no language (test/docs.test.ts compares them), those in SQL (the tests of PostgreSQL run them) and
 * declarations.
 */
const shownIn = (name: string) =>
  blocksOf(textOf(name)).filter(({ language, mark }) => !["", "sql"].includes(language) && !(language === "ts" && mark === ""))

const tools = ["bash", "curl"].filter((tool) => spawnSync(tool, ["--version"]).status !== 0)

let built: ReturnType<typeof buildPackage>

beforeAll(() => {
  if (tools.length === 0) built = buildPackage()
})
afterAll(() => built?.remove())

for (const name of guides) {
  test(`every command of ${basename(name)} does what the guide says`, {
    ...needs(tools.length === 0, tools.join(" and ")),
    timeout: 240_000,
  }, async () => {
    const reader = await Reader.open(join(built.dir, "guides", basename(name)), built.dir)
    try {
      await reader.follow(shownIn(name))
    } finally {
      await reader.close()
    }
  })
}

describe("the guides", () => {
  test("show only commands that a test runs, except those that install", () => {
    for (const name of guides) {
      const blocks = shownIn(name).map(({ language, mark }) => `${language} ${mark}`)
      const known = ["sh run", "sh background", "sh install", "js run", "js file", "ts run"]
      expect([name, blocks.filter((block) => !known.includes(block))]).toEqual([name, []])
      const installed = shownIn(name).filter(({ mark }) => mark === "install")
      const lines = installed.flatMap(({ text }) => text.trim().split("\n"))
      expect([name, lines.filter((line) => !installs.includes(line))]).toEqual([name, []])
    }
  })

  test("are all the pages that have TypeScript, which is compiled there; test/l1/guide.test.ts compiles that of l1.md", () => {
    const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && /^```ts/m.test(textOf(name)))
    expect(pages.filter((name) => ![...guides, "l1.md"].includes(name))).toEqual([])
    const unmarked = guides.flatMap((name) =>
      blocksOf(textOf(name)).filter(({ language, mark }) => language === "ts" && mark !== "run"),
    )
    expect(unmarked).toEqual([])
  })

  test("say that their programs are ES modules, if they show a program for a file", () => {
    const withPrograms = guides.filter((name) => shownIn(name).some(({ language }) => language === "js"))
    expect(withPrograms.filter((name) => !textOf(name).includes('"type": "module"'))).toEqual([])
    expect(textOf("../examples/README.md")).toContain('"type": "module"')
  })

  test("name the version that the package has", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    const named = [...guides, "../examples/README.md"].flatMap((name) => textOf(name).match(/serac-\d[^`\s]*\.tgz/g) ?? [])
    expect(new Set(named)).toEqual(new Set([`serac-${version}.tgz`]))
  })

  test("are compared with the printed output line by line", () => {
    expect(isShown("a…c\nd", "a b c\nd\n")).toBe(true)
    expect(isShown("a…c\nd", "a b c\ne\n")).toBe(false)
    expect(isShown("a", "ab")).toBe(false)
  })
})
