import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { isTest, root, sources, targetOf, withoutComments } from "./sources.js"

// The page is a program of its own, generated files follow their generator, and src/index.ts only exports again.
const isOwn = (path: string) => !isTest(path) && !/^page\/|_pb\.ts$|^index\.ts$/.test(path)
const files = sources()
const own = files.filter(({ path }) => isOwn(path))

const DECLARED = /^export (?:declare )?(?:abstract )?(?:async )?(const|let|function\*?|class|interface|type|enum) (\w+)/gm

/** An exported name, and the file below src/ that declares it. */
interface ExportedName {
  readonly path: string
  readonly name: string
  readonly isType: boolean
}

const exported: readonly ExportedName[] = own.flatMap(({ path, text }) => {
  const found = [...text.matchAll(DECLARED)].map(([, kind, name]) => ({
    path,
    name: name as string,
    isType: kind === "interface" || kind === "type",
  }))
  return [...new Map(found.map((each) => [each.name, each])).values()]
})

/** The kinds of values that the codec reads from bytes and the JSON-RPC kit from JSON: one value, two forms. */
const inBytesAndJson = ["list", "oneOf", "u8", "u16", "u32", "u64", "bool", "id", "nodeID", "optional"]
/** Methods that AvalancheGo has in two services. */
const ofTwoServices = ["getBalance", "getTxFee", "getProposedHeight", "getHeight", "getUTXOs"]

function groupedByName(): Map<string, ExportedName[]> {
  const byName = new Map<string, ExportedName[]>()
  for (const each of exported) byName.set(each.name, [...(byName.get(each.name) ?? []), each])
  return byName
}

test("one exported name means one thing", () => {
  const byName = groupedByName()
  const twice = [...byName].filter(([name, { length }]) => length > 1 && ![...inBytesAndJson, ...ofTwoServices].includes(name))
  expect(twice.map(([name, all]) => `${name}: ${all.map(({ path }) => path).join(", ")}`)).toEqual([])
})

/** Type names that are a single participle, gerund or adverb, such as `Opened`: they do not name the thing. `WriteAccess` does. */
const UNNAMED =
  /\b(?:interface|type|class) ((?:[A-Z][a-z]+(?:ed|ing)|Made|Built|Kept|Told|Found|Sent|Held|Given|Taken|Written|Known|Left|Wrong|Elsewhere|Between)|Below|Without)\b(?!<)/g

/** Nouns of this form. */
const nouns = ["Encoding", "Feed", "Reading", "Setting", "Polling", "Incoming"]

test("types have nouns as names", () => {
  const texts = ["src", "test", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /(?<!_pb)\.tsx?$/.test(path) && !path.includes("node_modules"))
      .map((path) => ({ path: `${folder}/${path}`, text: withoutComments(readFileSync(join(root, folder, path), "utf8")) })),
  )
  const found = texts.flatMap(({ path, text }) =>
    [...text.matchAll(UNNAMED)].filter(([, name]) => !nouns.includes(name as string)).map(([, name]) => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})

const SPECIFIERS = /(?:import|export)\s+(?:type\s+)?\{([^{}]*)\}\s+from\s+"(\.[^"]+)"/g
const LOADED = /\(await import\("(\.[^"]+)"\)\)\.(\w+)|\{([^{}]*)\} = await import\("(\.[^"]+)"\)|typeof import\("(\.[^"]+)"\)/g

/** The names that a file imports, as `core/state/diff.ts Diff`; `core/state/diff.ts *` if it imports all of them. */
function importedBy(path: string, text: string): string[] {
  const namesIn = (list: string) =>
    list.split(",").map(
      (each) =>
        each
          .trim()
          .replace(/^type /, "")
          .split(/\s+as\s+|:/)[0] as string,
    )
  const plain = [...text.matchAll(SPECIFIERS)].flatMap(([, list, from]) =>
    namesIn(list as string).map((name) => `${targetOf(path, from as string)} ${name}`),
  )
  const loaded = [...text.matchAll(LOADED)].flatMap(([, one, name, list, several, whole]) => {
    if (one !== undefined) return [`${targetOf(path, one)} ${name}`]
    if (several !== undefined) return namesIn(list as string).map((each) => `${targetOf(path, several)} ${each}`)
    return [`${targetOf(path, whole as string)} *`]
  })
  return [...plain, ...loaded]
}

const outside = ["test", "bench"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes("node_modules"))
    .map((path) => ({ path: `../${folder}/${path}`, text: withoutComments(readFileSync(join(root, folder, path), "utf8")) })),
)
const byProgram = new Set(files.filter(({ path }) => !isTest(path)).flatMap(({ path, text }) => importedBy(path, text)))
const byTests = new Set(
  [...files.filter(({ path }) => isTest(path)), ...outside].flatMap(({ path, text }) => importedBy(path, text)),
)

/** Counts how often a file uses its own export, besides the declaration. */
function ownUses({ path, name }: ExportedName): number {
  const text = own.find((file) => file.path === path)?.text ?? ""
  return [...text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].length - 1
}

const isImported = (by: ReadonlySet<string>, { path, name }: ExportedName) => by.has(`${path} ${name}`) || by.has(`${path} *`)

/** Exports without a caller in the program, and why they stay. */
const withoutCaller: Readonly<Record<string, string>> = {
  "cli/main.ts: main": "bin/serac calls it",
}

/** Lists of refusals are read by the generator of docs/errors.md. */
const isRefusals = ({ path, name }: ExportedName) =>
  new RegExp(`^export const ${name} = refusals\\(`, "m").test(own.find((file) => file.path === path)?.text ?? "")

test("every export has a caller besides tests", () => {
  const uncalled = exported.filter((each) => !isImported(byProgram, each) && ownUses(each) === 0)
  expect(uncalled.map(({ path, name }) => `${path}: ${name}`).filter((each) => !(each in withoutCaller))).toEqual([])
})

test("every exported value is used by another file", () => {
  const inner = exported.filter(
    (each) => !each.isType && !isRefusals(each) && !isImported(byProgram, each) && !isImported(byTests, each),
  )
  expect(inner.map(({ path, name }) => `${path}: ${name}`)).toEqual([])
})
