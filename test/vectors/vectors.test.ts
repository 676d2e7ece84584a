import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { blockTypes } from "../../src/core/blocks/kinds.js"
import { txTypes } from "../../src/core/txs/index.js"
import { recordingNames, recordingPath } from "../recordings/recordings.js"
import type { Entry } from "./group.js"
import { readVectorFile, runFile, type VectorFile, vectorFiles, type Wrap } from "./run.js"

/** Recorded bytes of peers have a test of their own. */
const isRule = (name: string): boolean => !name.startsWith("vectors/parse/")
const own = fileURLToPath(new URL("own", import.meta.url))
/** The recorded vectors, and a few of an earlier set, some of them of groups that the recorded ones do not have. */
const sets = [
  { name: "the recorded vectors", files: recordingNames("vectors").filter(isRule).map(recordingPath) },
  { name: "test/vectors/own", files: vectorFiles([own]) },
]

/** Fields for readers (`applies_to` always includes Serac). Every other field of an entry is a fact that a check must read. */
const FOR_PEOPLE = ["name", "kind", "source", "origin", "note", "derived", "also_in", "rule", "used_for", "error", "applies_to"]

/** The only group that is skipped: no part of Serac subtracts dimensions. */
const NOT_OURS = "gas.json [dimensionsSub] "

describe.each(sets)("$name", ({ files }) => {
  const fileOf = (name: string) => files.find((file) => basename(file) === name) as string

  test.each(files.map((file) => basename(file)))("%s holds, and no field of it is left unread", (name) => {
    const fields = new ReadFields(name)
    const { failures, passed, skipped } = runFile(fileOf(name), fields.wrap)
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(0)
    expect(skipped.filter((line) => !line.startsWith(NOT_OURS))).toEqual([])
    expect(fields.unread(skipped)).toEqual([])
  })

  test.each([
    { file: "tx-bytes.json", listed: txTypes },
    { file: "tx-json.json", listed: txTypes },
    { file: "blocks.json", listed: blockTypes },
  ])("$file has a vector for every listed kind", ({ file, listed }) => {
    const covered = new Set(readVectorFile(fileOf(file)).entries.map((entry) => entry.kind))
    // The kinds of Helicon have a file of their own, with bytes and JSON together.
    for (const { kind, name } of readVectorFile(fileOf("helicon.json")).entries) {
      if (kind === "tx") covered.add(String(name).split(/[ ,]/)[0]!)
    }
    expect(listed.map(({ kind }) => kind).filter((kind) => !covered.has(kind))).toEqual([])
  })
})

/**
 * Notes which fields of a file's entries their checks look at. In rule files these are the members of `input` and `expected`. A member
 * counts as read if the check of any case of its kind reads it, because an early refusal does not depend on the other members.
 */
class ReadFields {
  readonly #file: string
  readonly #entries: { readonly entry: Entry; readonly form: VectorFile["form"]; readonly seen: Set<string> }[] = []

  constructor(file: string) {
    this.#file = file
  }

  readonly wrap: Wrap = (entry, form) => {
    const seen = new Set<string>()
    this.#entries.push({ entry, form, seen })
    return form === "vectors" ? watched(entry, seen) : caseOf(entry, seen)
  }

  /** The fields that no check has read, without those of skipped entries. */
  unread(skipped: readonly string[]): string[] {
    const nameOf = (entry: Entry) => `${this.#file} [${entry.kind}] ${entry.name ?? entry.id ?? ""}: `
    const checked = this.#entries.filter(({ entry }) => !skipped.some((each) => each.startsWith(nameOf(entry))))
    const of = (entry: Entry, field: string) => `${this.#file} [${entry.kind}] ${field}`
    const read = new Set(checked.flatMap(({ entry, seen }) => [...seen].map((field) => of(entry, field))))
    const unread = checked.flatMap(({ entry, form, seen }) =>
      givenIn(entry, form)
        .filter((field) => !FOR_PEOPLE.includes(field) && !(form === "vectors" && seen.has(field)))
        .map((field) => of(entry, field))
        .filter((field) => form === "vectors" || !read.has(field)),
    )
    return [...new Set(unread)]
  }
}

const givenIn = (entry: Entry, form: VectorFile["form"]): string[] =>
  form === "vectors" ? Object.keys(entry) : [...Object.keys(entry.input), ...Object.keys(entry.expected)]

const caseOf = (entry: Entry, read: Set<string>): Entry => ({
  ...entry,
  input: watched(entry.input, read),
  expected: watched(entry.expected, read),
})

/** Returns a proxy of the entry that records which members are read. */
function watched(value: Entry, read: Set<string>): Entry {
  return new Proxy(value, {
    get(target, name) {
      read.add(String(name))
      return target[name]
    },
  })
}
