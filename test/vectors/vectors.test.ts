import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { blockTypes } from "../../src/blocks/index.js"
import { txTypes } from "../../src/txs/index.js"
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
    expect(listed.map(({ kind }) => kind).filter((kind) => !covered.has(kind))).toEqual([])
  })

  test("leave no field of a wire vector unread", () => {
    expect(files.flatMap((file) => [...unreadFields(file)])).toEqual([])
  })
})

/** The fields of a wire file's entries that their checks never look at. */
function unreadFields(path: string): Set<string> {
  const file = basename(path)
  const { form, entries } = readVectorFile(path)
  const unread = new Set<string>()
  for (const entry of form === "vectors" ? entries : []) {
    const read = new Set<string>()
    const watched: Entry = new Proxy(entry, {
      get(target, name) {
        read.add(String(name))
        return target[name]
      },
    })
    const { skipped } = runEntry(watched, checkOf(file, entry.kind)!)
    if (skipped !== undefined) continue
    for (const name of Object.keys(entry)) {
      if (!read.has(name) && !FOR_PEOPLE.includes(name)) unread.add(`${file} [${entry.kind}] ${name}`)
    }
  }
  return unread
}
