import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join, posix } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { commands } from "../src/cli/commands/index.js"
import { serviceList } from "../src/client/services.js"
import * as client from "../src/client.js"
import * as codec from "../src/codec.js"
import { REFERENCE_VERSION } from "../src/core/networks/reference.js"
import { txTypes } from "../src/core/txs/index.js"
import { startDevnet } from "../src/devnet/devnet.js"
import * as library from "../src/index.js"
import { allRefusals } from "./docs/errors.js"
import { methodTable } from "./docs/methodTable.js"
import { referenceFiles } from "./docs/reference.js"
import { sqlExamples } from "./docs/sqlExamples.js"
import { brokenLinks, placesOf, treeOf } from "./links.js"
import { root, sources } from "./sources.js"
import { run } from "./terminal.js"

/** The files of docs/reference/, as `npm run docs` writes them. */
let reference: Readonly<Record<string, string>>

beforeAll(async () => {
  reference = await referenceFiles()
})

// `npm run docs` writes these files; here they are compared.
test("src/client/methods.json has what clients know of every method", async () => {
  await expect(methodTable()).toMatchFileSnapshot(join(root, "src/client/methods.json"))
})

test("no guide has more than 200 lines, queries and the output of examples not counted", () => {
  const guides = filesBelow("docs").filter((path) => path.endsWith(".md"))
  const written = (text: string) => text.replace(/^```(output|sql)\n[\s\S]*?^```\n/gm, "").trimEnd()
  const long = guides
    .map((path) => [path, written(clone.read(path)).split("\n").length] as const)
    .filter(([, lines]) => lines > 200)
  expect(guides.length).toBeGreaterThan(20)
  expect(long).toEqual([])
})

test("every guide says for whom it is before anything else", () => {
  const guides = readdirSync(join(root, "docs")).filter(
    (name) => /\.md$/.test(name) && !["README.md", "reference.md"].includes(name),
  )
  expect(guides.filter((name) => !/^# .*\n\nFor [a-z]/.test(clone.read(`docs/${name}`)))).toEqual([])
})

test("guides that join Mainnet or Fuji say that neither has been synced yet", () => {
  const guides = ["README.md", ...filesBelow("docs").filter((path) => path.endsWith(".md"))]
  const joining = guides.filter((path) => /network-id[= ](fuji|mainnet)\b/.test(clone.read(path)))
  expect(joining).toEqual(expect.arrayContaining(["docs/joining.md", "docs/fork.md"]))
  expect(
    joining.filter((path) => !/not (been )?synced|[Nn]either .* has been synced|synced with/.test(clone.read(path))),
  ).toEqual([])
})

test("the pages name the release of AvalancheGo as which nodes answer", () => {
  const pages = {
    "README.md": `networks of AvalancheGo v1.14.2 and v${REFERENCE_VERSION}`,
    "docs/compatibility.md": `Serac answers as AvalancheGo v${REFERENCE_VERSION}`,
    "docs/why.md": `the rules of AvalancheGo v${REFERENCE_VERSION}`,
    "CHANGELOG.md": `(v${REFERENCE_VERSION})`,
  }
  const without = Object.entries(pages).filter(([path, sentence]) => !clone.read(path).includes(sentence))
  expect(without).toEqual([])
  expect(clone.read("docs/compatibility.md")).toContain(
    `| \`info.getNodeVersion.version\` | \`serac/…\` | \`avalanchego/${REFERENCE_VERSION}\` |`,
  )
})

test("docs/sql.md has example queries, which the tests of PostgreSQL run", () => {
  expect(sqlExamples).toHaveLength((clone.read("docs/sql.md").match(/^```sql$/gm) ?? []).length)
  expect(sqlExamples.length).toBeGreaterThanOrEqual(15)
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

/** The files of a folder, without the reference, which a clone does not have. */
const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => posix.join(folder, String(name)))
    .filter((path) => !path.startsWith("docs/reference/") && !path.includes("node_modules"))

const clone = treeOf(root, [...readdirSync(root), ...["docs", "examples", "deploy", "test"].flatMap(filesBelow)])

test("the documents link to files and headings that a clone has", () => {
  const pages = clone.files.filter((name) => name.endsWith(".md"))
  expect(pages).toEqual(expect.arrayContaining(["README.md", "CONTRIBUTING.md", "docs/testing.md", "test/README.md"]))
  expect(pages.flatMap((page) => brokenLinks(clone, page))).toEqual([])
})

test("docs/README.md, the home page of the site, lists every page of docs/ and of the reference once", () => {
  const links = [...clone.read("docs/README.md").matchAll(/^- \[.*?\]\((.*?)\)/gm)].map(([, link]) => link as string)
  const pages = filesBelow("docs").filter((path) => path.endsWith(".md"))
  const sections = placesOf(clone.read("docs/reference.md")).slice(1)
  // The introduction links to why.md, and reference.md is for those who read without the site.
  const named = pages
    .map((path) => path.replace("docs/", ""))
    .filter((name) => !["README.md", "why.md", "reference.md"].includes(name))
  expect(links.filter((link) => !link.startsWith("../")).sort()).toEqual(
    [...named, ...sections.map((place) => `reference.md#${place}`)].sort(),
  )
})

describe("the reference", () => {
  const headings = (text = "", level: string) => [...text.matchAll(new RegExp(`^${level} (.*)$`, "gm"))].map(([, title]) => title)
  const pages = () => Object.keys(reference).filter((name) => name.endsWith(".md"))

  test("is the same when it is made again", async () => {
    expect(await referenceFiles()).toEqual(reference)
  })

  test("has a section in docs/reference.md for each page, with its title, to which other pages link", () => {
    const text = clone.read("docs/reference.md")
    expect(headings(text, "##").sort()).toEqual(
      pages()
        .flatMap((name) => headings(reference[name], "#").slice(0, 1))
        .sort(),
    )
    const named = [...text.matchAll(/`docs\/reference\/([\w.-]+)`/g)].map(([, name]) => name)
    expect(named.sort()).toEqual(Object.keys(reference).sort())
  })

  test("links to pages, headings and error codes that exist", () => {
    const paths = Object.keys(reference).map((name) => `docs/reference/${name}`)
    const read = (file: string) => reference[file.replace("docs/reference/", "")] ?? clone.read(file)
    const tree = { files: [...clone.files, ...paths], read }
    expect(pages().flatMap((name) => brokenLinks(tree, `docs/reference/${name}`))).toEqual([])
    expect(placesOf(reference["errors.md"] as string)).toContain("rules.stake_too_short")
  })

  test("describes every method of the API with a sentence, and shows what it takes and returns", () => {
    const { methods } = JSON.parse(reference["openrpc.json"] as string) as { methods: readonly { name: string }[] }
    const listed = serviceList.flatMap((service) => service.methods.map(({ name }) => name))
    expect(methods.map(({ name }) => name)).toEqual(listed)
    const sections = (reference["api.md"] as string).split("\n### ").slice(1)
    expect(sections.map((section) => section.split("\n")[0])).toEqual(listed)
    const isComplete = (section: string) =>
      /^\S+\n\n[^\n]*\.\n[\s\S]*\n(Takes no parameters\.|\| parameter \|)[\s\S]*\nResult: [\s\S]*\n```json\n/.test(section)
    const incomplete = sections.filter((section) => !isComplete(section)).map((section) => section.split("\n")[0])
    // The reports of health have the time at which they were made, so they have no example.
    expect(incomplete).toEqual(["health.health", "health.readiness", "health.liveness"])
  })

  test("has one row for each error code", async () => {
    const rows = [...(reference["errors.md"] as string).matchAll(/^\| <a id="([^"]+)"><\/a>`([^`]+)` \| [^|\n]+ \| .*\|$/gm)]
    const codes = (await allRefusals()).map(({ code }) => code)
    expect(rows.map(([, id, code]) => [id, code])).toEqual(codes.map((code) => [code, code]))
  })

  test("describes every command, and each of its flags in its own section, or in a group or a page that this links", async () => {
    const sections = (reference["cli.md"] as string).split(/\n##+ /).slice(1)
    const section = (title: string) => sections.find((each) => each.startsWith(`${title}\n`)) ?? ""
    const flagsIn = (text: string) => [...text.matchAll(/^\| `--([a-z0-9-]+)/gm)].map(([, name]) => name as string)
    const groupsIn = (text: string) => [...text.matchAll(/\[([^[\]]+)\]\(#/g)].map(([, title]) => section(title as string))
    for (const { name, load } of commands) {
      const own = section(`serac ${name}`)
      const described = Object.entries((await load()).flags).filter(([, { help }]) => help !== "")
      const pages = [...own.matchAll(/\]\((tuning-peers\.md)\)/g)].map(([, page]) => reference[page as string] as string)
      expect([name, [own, ...groupsIn(own), ...pages].flatMap(flagsIn).sort()]).toEqual([
        name,
        described.map(([flag]) => flag).sort(),
      ])
    }
  })

  test("describes every name that the library exports", () => {
    const sections = (reference["library.md"] as string).split("\n## ").slice(1)
    const valuesIn = (section = "") =>
      [...section.matchAll(/^\| `(\w+)` \| (?:function|value|class) \| .+ \|$/gm)].map(([, name]) => name as string).sort()
    const names = [library, client, codec].map((entry) => Object.keys(entry).sort())
    const [ofLibrary, ...others] = sections.map(valuesIn)
    expect([[...ofLibrary!, ...others[0]!].sort(), ...others]).toEqual(names)
  })

  test("has every kind of transaction and every metric of a table once", () => {
    expect(headings(reference["transactions.md"], "##").slice(0, txTypes.length)).toEqual(txTypes.map(({ kind }) => kind))
    const metrics = [...(reference["metrics.md"] as string).matchAll(/^\| `(\w+)` \| (counter|gauge|histogram) \| .+ \|$/gm)]
    const names = metrics.map(([, name]) => name as string)
    expect(names.length).toBeGreaterThan(50)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })
})

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
  const present = new Set([...sources().map(({ path }) => path), "src/index.ts"])
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => !present.has(path) && !(path.startsWith("test/") && existsSync(join(root, path))))).toEqual([])
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
  // A clone has docs/reference/ after `npm run docs`.
  const isThere = (path: string) =>
    ["", ...Object.keys(reference)].includes(path.replace(/^docs\/reference\//, "")) || existsSync(join(root, path))
  expect(named.filter(([, path]) => !isThere(path as string))).toEqual([])
})

test("comments of the sources name pages of this repository only", () => {
  const pages = [
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    ...filesBelow("docs"),
    ...filesBelow("test"),
    ...Object.keys(reference).map((name) => `docs/reference/${name}`),
  ]
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
      [...readFileSync(join(root, page), "utf8").matchAll(/npm run (?:-s )?([a-z]+(?::[a-z]+)?)/g)].map(([, script]) => [
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
