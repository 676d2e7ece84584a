import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { commands } from "../src/cli/commands/index.js"
import { configurationFlags } from "../src/cli/configuration.js"
import { serviceList } from "../src/client/services.js"
import { units } from "../src/core/lib/dataUnits.js"
import { allRefusals } from "./docs/errors.js"
import { findings } from "./findings.js"
import { root, sources } from "./sources.js"

const read = (path: string) => readFileSync(join(root, path), "utf8")

const written = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"))
const pages = ["README.md", "CHANGELOG.md", ...written.map((name) => `docs/${name}`)]

/** Names of a pattern that pages use and a list does not have, each with its page. */
function unknown(pattern: RegExp, known: ReadonlySet<string>): string[] {
  return pages.flatMap((page) => {
    const named = [...read(page).matchAll(pattern)].map(([, name]) => name as string)
    return named.filter((name) => !known.has(name)).map((name) => `${page}: ${name}`)
  })
}

describe("the pages that are written by hand name only existing", () => {
  test("methods", async () => {
    const methods = serviceList.flatMap((service) => service.methods)
    // A member of the Avalanche SDK, and a method that a page names because it is missing.
    const others = ["proposervm.pChain", "avm.getUTXOs"]
    const codes = (await allRefusals()).map(({ code }) => code).filter((code) => code.startsWith("rpc."))
    const known = new Set([...methods.map(({ name }) => name), "rpc.discover", ...others, ...codes])
    const services = [...new Set([...known].map((name) => name.split(".")[0]))].join("|")
    // Matches names in backticks, such as `platform.getTxInfo`.
    expect(unknown(new RegExp(`\`((?:${services})\\.[a-z][A-Za-z0-9]+)\``, "g"), known)).toEqual([])
  })

  test("error codes", async () => {
    const known = new Set((await allRefusals()).map(({ code }) => code))
    const folders = [...new Set([...known].map((code) => code.split(".")[0]))].join("|")
    expect(unknown(new RegExp(`\`((?:${folders})\\.[a-z0-9]+(?:_[a-z0-9]+)+)\``, "g"), known)).toEqual([])
    expect(Object.keys(units).filter((code) => !known.has(code))).toEqual([])
  })

  test("flags", async () => {
    const loaded = await Promise.all(commands.map(({ load }) => load()))
    const known = [configurationFlags, ...loaded.map(({ flags }) => flags)].flatMap((flags) => Object.keys(flags))
    // Flags of platform-cli, avalanche-cli, Anvil, `npm run compare` and AvalancheGo.
    const anvil = ["--fork-url", "--fork-block-number", "--block-time"]
    const foreign = ["--rpc-url", "--snapshot-name", ...anvil, "--serac", "--partial-sync-primary-network"]
    const others = [...foreign, "--version", "--version-json"]
    // `--snow-*` names a group of flags.
    expect(
      unknown(
        /`(?:serac [a-z]* ?)?(--[a-z0-9][a-z0-9-]*[a-z0-9])(?!-?\*|[a-z0-9-])/g,
        new Set([...known.map((name) => `--${name}`), ...others]),
      ),
    ).toEqual([])
  })
})

test("docs/troubleshooting.md names every health check", () => {
  const names = sources()
    .filter(({ path }) => !path.includes(".test."))
    .flatMap(({ text }) =>
      [...text.matchAll(/name: "(\w+)",\s+(?:questions: \[|run(?:: \(\) =>|\(\)))/g)].map(([, name]) => name as string),
    )
  // `serac serve --processes` adds this one to the checks of its processes.
  names.push("processes")
  expect(names.length).toBeGreaterThan(8)
  const [, table = ""] = /\| check of `\/ext\/health` \|(.*?)\n\n/s.exec(read("docs/troubleshooting.md")) ?? []
  // Several processes add a check of their own when they merge their reports.
  expect([...new Set([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name as string))].sort()).toEqual(
    [...new Set([...names, "processes"])].sort(),
  )
})

test("all 26 findings of the security review have tests that exist", () => {
  expect([...new Set(findings.map(({ number }) => number))]).toEqual(Array.from({ length: 26 }, (_, i) => i + 1))
  expect(findings.filter(({ file, test: title }) => !read(file).includes(title))).toEqual([])
})
