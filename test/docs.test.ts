import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join, posix } from "node:path"
import { expect, test } from "vitest"
import { startDevnet } from "../src/devnet/devnet.js"
import { apiPage, openRpcFile } from "./docs/api.js"
import { cliPage } from "./docs/cli.js"
import { allRefusals, errorsPage } from "./docs/errors.js"
import { methodTable } from "./docs/methodTable.js"
import { metricsPage } from "./docs/metrics.js"
import { sqlPage } from "./docs/sql.js"
import { transactionsPage } from "./docs/transactions.js"
import { tuningPeersPage } from "./docs/tuningPeers.js"
import { brokenLinks } from "./links.js"
import { root, sources } from "./sources.js"
import { run } from "./terminal.js"

const page = (name: string) => join(root, "docs", name)

// `npm run docs` writes these pages; here they are compared.
test("docs/errors.md lists every refusal with its sentence, and no other", async () => {
  await expect(errorsPage(await allRefusals())).toMatchFileSnapshot(page("errors.md"))
})

test("docs/transactions.md shows every kind of transaction with its fields", async () => {
  await expect(transactionsPage()).toMatchFileSnapshot(page("transactions.md"))
})

test("docs/cli.md shows every command with its flags", async () => {
  await expect(await cliPage()).toMatchFileSnapshot(page("cli.md"))
})

test("docs/api.md shows every method with its parameters and answer", async () => {
  await expect(apiPage()).toMatchFileSnapshot(page("api.md"))
})

test("docs/openrpc.json describes every method", async () => {
  await expect(openRpcFile()).toMatchFileSnapshot(page("openrpc.json"))
})

test("src/client/methods.json has what clients know of every method", async () => {
  await expect(methodTable()).toMatchFileSnapshot(join(root, "src/client/methods.json"))
})

test("docs/metrics.md shows every metric with its meaning", async () => {
  await expect(await metricsPage()).toMatchFileSnapshot(page("metrics.md"))
})

test("docs/tuning-peers.md shows every flag about peers, and AvalancheGo's flags without effect", async () => {
  await expect(tuningPeersPage()).toMatchFileSnapshot(page("tuning-peers.md"))
})

test("docs/sql.md shows every table, view and example query", async () => {
  await expect(sqlPage()).toMatchFileSnapshot(page("sql.md"))
})

test("no two folders use the same code, and each code has a sentence", async () => {
  const refusals = await allRefusals()
  const codes = refusals.map(({ code }) => code)
  expect(codes.filter((code, i) => codes.indexOf(code) !== i)).toEqual([])
  expect(codes.filter((code) => !/^[a-z0-9]+\.[a-z0-9_]+$/.test(code))).toEqual([])
  expect(
    refusals.filter(({ refusal }) => refusal.sentence.trim() === "" || refusal.sentence.endsWith(".")).map(({ code }) => code),
  ).toEqual([])
})

test("the documents link to files and headings that exist", () => {
  const below = ["docs", "examples", "deploy", "test"].flatMap((folder) => filesBelow(folder))
  const files = [...readdirSync(root), ...below]
  const pages = files.filter((name) => name.endsWith(".md") && !name.includes("node_modules"))
  expect(pages).toEqual(expect.arrayContaining(["README.md", "CONTRIBUTING.md", "docs/testing.md", "test/README.md"]))
  expect(pages.flatMap((page) => brokenLinks(root, page, files))).toEqual([])
})

const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true }).map((name) => posix.join(folder, String(name)))

test("the README starts with the two commands, each in its own block", () => {
  const blocks = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/```\n([\s\S]*?)\n```/g)].map((match) => match[1])
  expect(blocks.slice(0, 2)).toEqual(["npm ci && npm start", "npm ci && npm test"])
})

test("the README fits a screen or two, and says what Serac is before anything else", () => {
  const lines = readFileSync(join(root, "README.md"), "utf8").trimEnd().split("\n")
  expect(lines.length).toBeLessThanOrEqual(75)
  expect(lines[2]).toMatch(/^Serac is Anvil for Avalanche's P-Chain/)
})

test("the commands of the README work", async () => {
  const rows = [...readFileSync(join(root, "README.md"), "utf8").matchAll(/^\| (`serac.*?`) \|/gm)].map(
    (match) => match[1] as string,
  )
  expect(rows).toHaveLength(8)
  const calls = rows.flatMap((row) => [...row.matchAll(/`serac ?(.*?)`/g)].map((match) => match[1] as string))
  // `serac` alone is the private chain itself, and an L1 needs a plugin.
  const runnable = calls.filter((call) => call !== "" && !call.startsWith("l1 "))
  const devnet = await startDevnet()
  try {
    for (const call of runnable) {
      const words = call.replace("ADDRESS", devnet.accounts[1]!.address).replace("NODE", DELEGATED_NODE).split(" ")
      const { code, stderr } = await run([...words, "--url", devnet.url])
      expect([call, code, stderr]).toEqual([call, 0, ""])
    }
  } finally {
    await devnet.stop()
  }
})

/** A validator of the local network that takes 6.25 % of a delegator's reward. */
const DELEGATED_NODE = "NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"

test("ARCHITECTURE.md follows a block through files that exist", () => {
  const named = [...readFileSync(join(root, "ARCHITECTURE.md"), "utf8").matchAll(/`(\w+\/[\w/]+\.ts)`/g)].map(
    (match) => match[1] as string,
  )
  const present = new Set([...sources().map(({ path }) => path), "src/index.ts", "test/map.test.ts"])
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !present.has(path))).toEqual([])
})

test("the pages name files and folders of the project that exist", () => {
  const pages = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "test/README.md", ...filesBelow("docs")]
  const named = pages
    .filter((path) => path.endsWith(".md"))
    .flatMap((page) => {
      const text = readFileSync(join(root, page), "utf8")
      return [...text.matchAll(/`((?:src|test|bench|scripts|examples|deploy|docs)\/[\w./-]+)`/g)].map(([, path]) => [
        page,
        path as string,
      ])
    })
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(([, path]) => !existsSync(join(root, path as string)))).toEqual([])
})

test("comments of the sources name pages of this repository only", () => {
  const pages = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", ...filesBelow("docs"), ...filesBelow("test")]
  const known = new Set(pages.filter((path) => path.endsWith(".md")).flatMap((path) => [path, basename(path)]))
  const files = filesBelow("src").filter((path) => /\.tsx?$/.test(path))
  const found = files.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8")
    const named = [...text.matchAll(/[\w./-]+\.md\b|\bhandbook\b/g)].map(([name]) => name.replace(/^(\.?\.\/)+/, ""))
    return named.filter((name) => !known.has(name)).map((name) => `${path}: ${name}`)
  })
  expect(found).toEqual([])
})

test("the pages name scripts of package.json that exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> }
  const pages = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "test/README.md", ...filesBelow("docs")]
  const named = pages
    .filter((path) => path.endsWith(".md"))
    .flatMap((page) =>
      [...readFileSync(join(root, page), "utf8").matchAll(/npm run (?:-s )?([a-z]+)/g)].map(([, script]) => [
        page,
        script as string,
      ]),
    )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([, script]) => !((script as string) in scripts))).toEqual([])
})

/** Declares a function, constant, class or type of this name, or is a class or interface with such a member. */
const declares = (text: string, name: string) =>
  new RegExp(`^(export )?(async )?(abstract )?(function\\*?|const|class|interface|type) ${name}\\b`, "m").test(text) ||
  new RegExp(`^  (static |async |get |readonly |\\*)*${name}\\b`, "m").test(text)

test("ARCHITECTURE.md names functions, classes and members that exist", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
  const files = sources()
  const members = [...text.matchAll(/`([A-Z]\w+)\.(?!tsx`)(\w+)`/g)].map(([, type, member]) => [type, member] as [string, string])
  const isMember = ([type, member]: [string, string]) =>
    files.some((file) => new RegExp(`^export (class|interface) ${type}\\b`, "m").test(file.text) && declares(file.text, member))
  expect(members.length).toBeGreaterThan(15)
  expect(members.filter((each) => !isMember(each))).toEqual([])
  const placed = [...text.matchAll(/`(?:\w+\.)?(\w+)` in\s+`([\w/]+\.ts)`/g)].map(
    ([, name, path]) => [name, path] as [string, string],
  )
  const isPlaced = ([name, path]: [string, string]) => files.some((file) => file.path === path && declares(file.text, name))
  expect(placed.length).toBeGreaterThan(6)
  expect(placed.filter((each) => !isPlaced(each))).toEqual([])
})
