import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { root } from "../sources.js"
import { blocksOf, isShown } from "./guide.js"
import { Reader } from "./guideRun.js"
import { buildPackage } from "./package.js"

const guides = ["../README.md", "quick-start.md", "testing.md", "l1-life-cycle.md", "operating.md"]
const textOf = (name: string) => readFileSync(join(root, "docs", name), "utf8")
/** A guide's blocks, but for those in no language: how the README opens, and what test/docs.test.ts compares. */
const shownIn = (name: string) => blocksOf(textOf(name)).filter(({ language }) => language !== "")

const tools = ["bash", "curl"].filter((tool) => spawnSync(tool, ["--version"]).status !== 0)
if (tools.length > 0) console.warn(`skipped: the guides' commands are not run, since ${tools.join(" and ")} are not here`)

let built: ReturnType<typeof buildPackage>

beforeAll(() => {
  if (tools.length === 0) built = buildPackage()
})
afterAll(() => built?.remove())

for (const name of guides) {
  test.runIf(tools.length === 0)(`every command of ${basename(name)} does what the guide says`, async () => {
    const reader = await Reader.open(join(built.dir, "guides", basename(name)), built.dir)
    try {
      for (const block of shownIn(name)) await reader.follow(block)
    } finally {
      await reader.close()
    }
  })
}

describe("the guides", () => {
  test("show no command that is not run, but for those that install", () => {
    for (const name of guides) {
      const blocks = shownIn(name).map(({ language, mark }) => `${language} ${mark}`)
      const known = ["sh run", "sh background", "sh install", "js run", "js file"]
      expect([name, blocks.filter((block) => !known.includes(block))]).toEqual([name, []])
      const installed = shownIn(name).filter(({ mark }) => mark === "install")
      for (const { text } of installed) expect(text).toMatch(/^npm install --save-dev serac( @avalabs\/avalanchejs@5\.2\.0)?\n$/)
    }
  })

  test("link to files and headings that exist", () => {
    for (const name of [...guides.slice(1), "compatibility.md"]) {
      const links = [...textOf(name).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
      const broken = links.filter(([, page, heading]) => !hasHeading(page || name, heading)).map(([link]) => link)
      expect([name, broken]).toEqual([name, []])
    }
  })

  test("are compared with what is printed, line by line", () => {
    expect(isShown("a…c\nd", "a b c\nd\n")).toBe(true)
    expect(isShown("a…c\nd", "a b c\ne\n")).toBe(false)
    expect(isShown("a", "ab")).toBe(false)
  })
})

/** Whether there is such a page, with such a heading where one is named. */
function hasHeading(page: string, heading: string | undefined): boolean {
  if (!existsSync(join(root, "docs", page))) return false
  const headings = [...textOf(page).matchAll(/^#+ (.*)$/gm)].map((match) => (match[1] as string).toLowerCase())
  return heading === undefined || headings.some((each) => each.replace(/[^\w -]/g, "").replaceAll(" ", "-") === heading)
}
