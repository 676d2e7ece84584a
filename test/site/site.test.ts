import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, posix } from "node:path"
import { pathToFileURL } from "node:url"
import MiniSearch from "minisearch"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { searchOptions, sectionsFor } from "../../scripts/site/searchOptions.mjs"
import { decodeTx, fromHexText, idText, printJson, txToJson } from "../../src/codec.js"
import { findChromium, needsChromium } from "../page/chromium.js"
import { expectAccessible, launch, openPage } from "../page/openPage.js"
import { root } from "../sources.js"
import { type StaticServer, serveFolder } from "./serveFolder.js"

const dir = mkdtempSync(join(tmpdir(), "serac-site-"))
let files: readonly string[]

beforeAll(() => {
  execFileSync(process.execPath, [join(root, "scripts/site.mjs"), dir])
  files = readdirSync(dir, { recursive: true, encoding: "utf8" })
}, 240_000)
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const read = (name: string) => readFileSync(join(dir, name), "utf8")

/** The addresses that the search shows for some words, the first one first. */
function found(words: string): string[] {
  const index = MiniSearch.loadJSON(read("search-index.js").replace(/^[^{]*/, ""), searchOptions)
  return sectionsFor(index, words).map(({ id }) => id as string)
}

test.each([
  "time travel",
  "snapshot",
  "hardhat",
  "evm_increaseTime",
  "multisig",
  "loadFixture",
  "impersonate",
  "move the clock",
  "backup",
  "validator",
])("the search for %j shows a guide first", (words) => {
  expect(found(words)[0]).toMatch(/^(?!reference\/|contributing\/)[a-z]/)
})

test("the search shows a method and an error under their own names first", () => {
  expect(found("platform.getBalance")[0]).toBe("reference/api.html#platformgetbalance")
  expect(found("rules.stake_too_short")[0]).toBe("reference/errors.html#rules.stake_too_short")
})

describe("the site in a browser", { ...needsChromium, timeout: 240_000 }, () => {
  let browser: Browser
  let server: StaticServer
  beforeAll(async () => {
    browser = await launch(findChromium() as string)
    server = await serveFolder(dir, "/any/base/")
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  test("has no dead link, no error in the console, and needs no other server", async () => {
    await using opened = await openPage(browser, `${server.url}index.html`)
    const { page, faults } = opened
    const elsewhere: string[] = []
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url) && !request.url().startsWith("data:")) elsewhere.push(request.url())
    })
    const { visited, dead } = await crawl(page, server)
    expect({ dead, faults, elsewhere }).toEqual({ dead: [], faults: [], elsewhere: [] })
    expect([...visited].sort()).toEqual(files.filter((name) => name.endsWith(".html")).sort())
  })

  test("finds a page by a word, a method by its name, and an error by its code, with the keyboard alone", async () => {
    await using opened = await openPage(browser, `${server.url}reference/metrics.html`)
    const { page, faults } = opened
    for (const [words, place, shown] of [
      ["move the clock", "quick-start.html#move-the-clock", "Move the clock"],
      ["platform.getBalance", "reference/api.html#platformgetbalance", "platform.getBalance"],
      ["rules.stake_too_short", "reference/errors.html#rules.stake_too_short", "rules.stake_too_short"],
    ] as const) {
      await page.keyboard.press("/")
      await page.locator("#search").fill(words)
      await page.locator("#results a").first().waitFor()
      await page.keyboard.press("Enter")
      await page.waitForURL(`${server.url}${place}`)
      await page.locator("main").getByText(shown).first().waitFor()
    }
    await page.locator("#search").fill("no such thing anywhere")
    await page.getByText("Nothing was found.").waitFor()
    expect(faults).toEqual([])
  })

  test("decodes bytes on the page of serac/codec, as the codec does in Node.js, and names what is wrong with others", async () => {
    await using opened = await openPage(browser, `${server.url}codec.html`)
    const { page, faults } = opened
    const tx = decodeTx(fromHexText(await page.locator("#bytes").inputValue()))
    expect(await page.locator("#decoded").textContent()).toBe(
      printJson({ kind: "BaseTx", id: idText(tx.id), value: txToJson(tx, { hrp: "local" }) }, 2),
    )
    await page.locator("#bytes").fill("0x0000")
    expect(await page.locator("#decoded").textContent()).toMatch(/^(codec|wire)\.\w+: /)
    expect(faults).toEqual([])
  })

  test("also searches when it is opened from a folder, without a server", async () => {
    await using opened = await openPage(browser, pathToFileURL(join(dir, "why.html")).href)
    await opened.page.locator("#search").fill("Teleporter")
    await opened.page.locator("#results a").first().click()
    await opened.page.locator("main h1").waitFor()
    expect(opened.page.url()).toMatch(/^file:.*\.html/)
    expect(opened.faults).toEqual([])
  })

  test.each(["light", "dark"] as const)("is accessible in %s colours", async (scheme) => {
    for (const name of ["index.html", "codec.html", "reference/metrics.html"]) {
      await using opened = await openPage(browser, server.url + name, scheme)
      await expectAccessible(opened.page, name)
    }
  })
})

/** Opens every page that links reach from the first one. Returns the pages, and the links that lead nowhere. */
async function crawl(page: Page, server: StaticServer) {
  const visited = new Set<string>()
  const dead: string[] = []
  const places = new Map<string, ReadonlySet<string>>()
  const links: { from: string; to: string; place: string }[] = []
  const waiting = ["index.html"]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (visited.has(name)) continue
    visited.add(name)
    await page.goto(server.url + name)
    places.set(name, new Set(await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id))))
    const found = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((each) => (each as unknown as { href: string }).href))
    const images = await page.locator("img").evaluateAll((all) => all.map((each) => (each as unknown as { src: string }).src))
    for (const url of [...found, ...images].filter((each) => each.startsWith(server.origin))) {
      const [to = "", place = ""] = url.slice(server.url.length).split("#")
      links.push({ from: name, to, place: decodeURIComponent(place) })
      if (!url.startsWith(server.url) || !files.includes(posix.normalize(to))) dead.push(`${name} -> ${url}`)
      else if (to.endsWith(".html")) waiting.push(to)
    }
  }
  const lost = links.filter(({ to, place }) => place !== "" && !places.get(to)?.has(place))
  return { visited, dead: [...dead, ...lost.map(({ from, to, place }) => `${from} -> ${to}#${place}`)] }
}

test("llms.txt lists every page with a Markdown file that exists, and llms-full.txt has their texts", () => {
  const listed = [...read("llms.txt").matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, name]) => name as string)
  expect(listed).toEqual(
    expect.arrayContaining(["quick-start.md", "l1.md", "operating.md", "reference/api.md", "ARCHITECTURE.md"]),
  )
  expect(listed.filter((name) => !files.includes(name))).toEqual([])
  const full = read("llms-full.txt")
  expect(listed.filter((name) => !full.includes(read(name).trim()))).toEqual([])
  expect(read("llms.txt")).toMatch(/^# Serac\n\n> Serac is .*\n\n## Test a wallet\n/)
})
