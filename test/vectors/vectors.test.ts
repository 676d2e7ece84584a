import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { blockTypes } from "../../src/core/blocks/index.js"
import { txTypes } from "../../src/core/txs/index.js"
import { hasShared, sharedPath } from "../shared.js"
import type { Entry } from "./group.js"
import { checkOf, readVectorFile, runEntry, runFile, vectorFiles } from "./run.js"

const folders = [
  { name: "our own vectors", path: fileURLToPath(new URL("own", import.meta.url)) },
  ...(hasShared("vectors") ? [{ name: "../shared/vectors", path: sharedPath("vectors") }] : []),
]

/** Words for people (`applies_to`: always ours); every other field of an entry is a fact to be checked. */
const FOR_PEOPLE = ["name", "kind", "source", "origin", "note", "derived", "also_in", "rule", "used_for", "error", "applies_to"]

describe.each(folders)("$name", ({ path }) => {
  const files = vectorFiles([path])

  test.each(files.map((file) => basename(file)))("%s holds", (name) => {
    const { failures, passed, skipped } = runFile(`${path}/${name}`)
    expect(failures).toEqual([])
    expect(passed + skipped.length).toBeGreaterThan(0)
  })

  test.each([
    { file: "tx-bytes.json", listed: txTypes },
    { file: "tx-json.json", listed: txTypes },
    { file: "blocks.json", listed: blockTypes },
  ])("$file has a vector for every listed kind", ({ file, listed }) => {
    const covered = new Set(readVectorFile(`${path}/${file}`).entries.map((entry) => entry.kind))
    // The kinds of Helicon have a file of their own, with bytes and JSON together.
    for (const { kind, name } of readVectorFile(`${path}/helicon.json`).entries) {
      if (kind === "tx") covered.add(String(name).split(/[ ,]/)[0]!)
    }
    expect(listed.map(({ kind }) => kind).filter((kind) => !covered.has(kind))).toEqual([])
  })

  test("leave no field unread", () => {
    expect(files.flatMap(unreadFields)).toEqual([])
  })
})

/**
 * The fields of a file's entries that their checks never look at. Of rule files: the members of `input` and `expected`
 * that no case of their kind has looked at, since what is refused early is refused whatever the rest says.
 */
function unreadFields(path: string): string[] {
  const file = basename(path)
  const { form, entries } = readVectorFile(path)
  const unread = new Set<string>()
  const read = new Set<string>()
  for (const entry of entries) {
    const name = (field: string) => `${file} [${entry.kind}] ${field}`
    const seen = new Set<string>()
    const { skipped } = runEntry(form === "vectors" ? watched(entry, seen) : caseOf(entry, seen), checkOf(file, entry.kind)!)
    if (skipped !== undefined) continue
    for (const field of seen) read.add(name(field))
    const given = form === "vectors" ? Object.keys(entry).filter((field) => !seen.has(field)) : fieldsOf(entry)
    for (const field of given) if (!FOR_PEOPLE.includes(field)) unread.add(name(field))
  }
  return [...unread].filter((field) => form === "vectors" || !read.has(field))
}

const fieldsOf = ({ input, expected }: Entry): string[] => [...Object.keys(input), ...Object.keys(expected)]

const caseOf = (entry: Entry, read: Set<string>): Entry => ({
  ...entry,
  input: watched(entry.input, read),
  expected: watched(entry.expected, read),
})

/** The same values, noting which members anyone looks at. */
function watched(value: Entry, read: Set<string>): Entry {
  return new Proxy(value, {
    get(target, name) {
      read.add(String(name))
      return target[name]
    },
  })
}
