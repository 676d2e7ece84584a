import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { isTest, root, sources, targetOf } from "./sources.js"

const architecture = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")

/** The files below src/ that a section of ARCHITECTURE.md names, in order and each once. */
function filesOf(title: string): readonly string[] {
  const [, section = ""] = architecture.split(`\n### ${title}\n`)
  const text = section.split("\n### ")[0] as string
  return [...new Set([...text.matchAll(/`([\w/]+\.ts)`/g)].map(([, path]) => path as string))]
}

const importsOf = new Map(
  sources()
    .filter(({ path }) => !isTest(path))
    .map(({ path, imports }) => [
      path,
      imports.filter(({ name }) => name.startsWith(".")).map(({ name }) => targetOf(path, name)),
    ]),
)

/** The files that a file imports. The methods of a service are imported through the list of the service. */
const reachedFrom = (path: string): readonly string[] =>
  (importsOf.get(path) ?? []).flatMap((each) => (each.endsWith("/index.ts") ? [each, ...reachedFrom(each)] : [each]))

/** Returns whether one file imports the other, or a third file imports both and so can pass one to the other. */
function areLinked(a: string, b: string): boolean {
  return [...importsOf.keys()].some((path) => {
    const reached = reachedFrom(path)
    return [a, b].every((each) => each === path || reached.includes(each))
  })
}

/** The files of a walk to which no link leads from its first file, over other files of the walk. */
function unreachedIn([first, ...others]: readonly string[]): readonly string[] {
  const reached = [first as string]
  for (const path of reached) reached.push(...others.filter((each) => !reached.includes(each) && areLinked(path, each)))
  return others.filter((each) => !reached.includes(each))
}

const isOuter = (path: string) => /^(jsonrpc|services|node)\//.test(path)

test.each(["`platform.issueTx` on a private chain", "`platform.getUTXOs`"])("the walk of %s", (title) => {
  const files = filesOf(title)
  expect(files.filter((path) => !importsOf.has(path))).toEqual([])
  expect(files.filter(isOuter).length).toBeLessThanOrEqual(16)
  expect(unreachedIn(files)).toEqual([])
})

/** The steps of a replayed block that a block from a peer takes as well. */
const EXECUTION = [
  "core/blocks/steps.ts",
  "core/rules/chainTime.ts",
  "core/txs/execute.ts",
  "core/rules/spend.ts",
  "core/state/diff.ts",
]
const ACCEPTANCE = ["core/readmodel/fold.ts", "store/lmdb/lmdbWriter.ts"]

test.each([
  ["A replayed block", [], 20],
  ["A block from a peer", [...EXECUTION, ...ACCEPTANCE], 35],
])("the walk of %s is short", (title, shared, limit) => {
  const files = [...filesOf(title), ...shared]
  expect(files.filter((path) => !importsOf.has(path))).toEqual([])
  expect(new Set(files).size).toBeLessThanOrEqual(limit)
})

test("a walk that leaves out a file on its way is found", () => {
  expect(areLinked("jsonrpc/call/readRequest.ts", "services/contexts.ts")).toBe(false)
  const walk = ["jsonrpc/call/dispatch.ts", "jsonrpc/call/callMethod.ts", "services/contexts.ts", "store/indexes.ts"]
  expect(unreachedIn(walk)).toEqual(["services/contexts.ts", "store/indexes.ts"])
})
