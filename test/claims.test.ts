import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { defaultClientLimits, defaultHttpOptions } from "../src/jsonrpc/http/options.js"
import { DEFAULT_CACHE_BYTES } from "../src/services/cache/answerCache.js"
import { root, sources } from "./sources.js"

const read = (path: string) => readFileSync(join(root, path), "utf8")
const MiB = 1 << 20

/** Pages that are generated from the program. */
const GENERATED = ["api.md", "cli.md", "errors.md", "library.md", "metrics.md", "transactions.md"]
const written = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md") && !GENERATED.includes(name))
const pages = ["README.md", ...written.map((name) => `docs/${name}`)]

/** Names of a pattern that pages use and a list does not have, each with its page. */
function unknown(pattern: RegExp, known: ReadonlySet<string>): string[] {
  return pages.flatMap((page) => {
    const named = [...read(page).matchAll(pattern)].map(([, name]) => name as string)
    return named.filter((name) => !known.has(name)).map((name) => `${page}: ${name}`)
  })
}

describe("the pages that are written by hand name only existing", () => {
  test("methods", () => {
    const { methods } = JSON.parse(read("docs/openrpc.json")) as { methods: readonly { name: string }[] }
    // A member of the Avalanche SDK, and a method of which the page says that it is not there.
    const others = ["proposervm.pChain", "avm.getUTXOs"]
    const known = new Set([...methods.map(({ name }) => name), "rpc.discover", ...others])
    const services = [...new Set([...known].map((name) => name.split(".")[0]))].join("|")
    // `platform.getTxInfo`, `getTxsByAddress` and the like; a file name such as `health.ts` is no method.
    expect(unknown(new RegExp(`\`((?:${services})\\.[a-z][A-Za-z0-9]+)\``, "g"), known)).toEqual([])
  })

  test("error codes", () => {
    const known = new Set([...read("docs/errors.md").matchAll(/^### `([a-z0-9_.]+)`/gm)].map(([, code]) => code as string))
    const folders = [...new Set([...known].map((code) => code.split(".")[0]))].join("|")
    expect(unknown(new RegExp(`\`((?:${folders})\\.[a-z0-9]+(?:_[a-z0-9]+)+)\``, "g"), known)).toEqual([])
  })

  test("flags", () => {
    const known = new Set([...read("docs/cli.md").matchAll(/(--[a-z0-9][a-z0-9-]*)/g)].map(([, flag]) => flag as string))
    // Flags of platform-cli, of `npm run compare`, of AvalancheGo, and one that is used as a command (`serac --version-json`).
    const others = ["--rpc-url", "--serac", "--partial-sync-primary-network", "--version-json"]
    // `--snow-*` names a group of flags.
    expect(
      unknown(/`(?:serac [a-z]* ?)?(--[a-z0-9][a-z0-9-]*[a-z0-9])(?!-?\*|[a-z0-9-])/g, new Set([...known, ...others])),
    ).toEqual([])
  })
})

test("docs/operating.md names the bounds of a server and of a client of a public one as they are", () => {
  const page = read("docs/operating.md")
  const [all, one] = [defaultHttpOptions, defaultClientLimits]
  const mebibytes = (bytes: number) => `${bytes / MiB} MiB`
  const grouped = (count: number) => count.toLocaleString("en-US")
  const sentences = [
    `is ${one.connections} connections, ${one.streams} streams, ${one.pending} calls that wait, ${mebibytes(one.maxBody)} for a body, ${mebibytes(one.maxBuffered)} for all of them`,
    `${mebibytes(one.maxUnread)} for answers it has not read`,
    `have ${grouped(all.maxConnections)} connections, ${grouped(all.maxStreams)} streams, ${grouped(all.maxPending)} calls that wait, ${mebibytes(all.maxBuffered)} of bodies, ${mebibytes(all.maxUnread)} of unread answers`,
    `| a body | ${mebibytes(all.maxBody)}, with \`--public\` ${mebibytes(one.maxBody)}, in which the largest transaction fits as hex; \`/ext/dev\` 1 GiB |`,
    `| one answer | ${mebibytes(one.maxUnread)} with \`--public\`, ${mebibytes(all.maxUnread)} without`,
    `| headers | 16 KiB, in ${all.headersTimeout / 1000} s, with \`--public\` in ${one.headersTimeout / 1000} s |`,
    `| a whole request | ${all.readTimeout / 1000} s to come, ${all.writeTimeout / 1000} s for its answer to be taken |`,
    `takes ${one.unitsPerMillisecond} units, wherever it is spent`,
    `in MiB (default ${DEFAULT_CACHE_BYTES / MiB})`,
  ]
  expect(all.maxDevBody).toBe(1024 * MiB)
  expect(one.burst).toBe(4 * one.unitsPerSecond)
  expect(sentences.filter((sentence) => !page.includes(sentence))).toEqual([])
  expect(read("docs/deployment.md")).toContain(`\`--http-shutdown-timeout\`, ${all.stopTimeout / 1000} s`)
  expect(read("docs/deployment.md")).toContain(`let it be silent for ${all.heartbeat / 1000} s`)
})

test("docs/operating.md names every health check", () => {
  const names = sources()
    .filter(({ path }) => !path.includes(".test."))
    .flatMap(({ text }) => [...text.matchAll(/name: "(\w+)",\s+questions: \[/g)].map(([, name]) => name as string))
  expect(names.length).toBeGreaterThan(8)
  const [, table = ""] = /\| check of `\/ext\/health` \|(.*?)\n\n/s.exec(read("docs/operating.md")) ?? []
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name as string).sort()).toEqual([...new Set(names)].sort())
})
