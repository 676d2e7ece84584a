import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { writeWholeFile } from "./writeWholeFile.js"

const folder = mkdtempSync(join(tmpdir(), "serac-files-"))
afterAll(() => rmSync(folder, { recursive: true }))

test("a file is readable by its owner alone, and no other file is left", () => {
  const dir = join(folder, "plain")
  mkdirSync(dir)
  writeWholeFile(join(dir, "a"), "one")
  writeWholeFile(join(dir, "a"), "two")
  expect([readFileSync(join(dir, "a"), "utf8"), statSync(join(dir, "a")).mode & 0o777]).toEqual(["two", 0o600])
  expect(readdirSync(dir)).toEqual(["a"])
})

test("a link is replaced and not followed, neither at the name itself nor at the one that was used before", () => {
  const dir = join(folder, "linked")
  const victim = join(folder, "victim")
  mkdirSync(dir)
  writeFileSync(victim, "precious")
  for (const name of ["a", "a.part"]) symlinkSync(victim, join(dir, name))
  writeWholeFile(join(dir, "a"), "mine")
  expect([readFileSync(victim, "utf8"), readFileSync(join(dir, "a"), "utf8")]).toEqual(["precious", "mine"])
  expect(lstatSync(join(dir, "a")).isFile()).toBe(true)
})

test("parts that killed processes have left are removed, and those of running ones are not", () => {
  const dir = join(folder, "stale")
  mkdirSync(dir)
  const [old, fresh, other] = ["a.0123456789ab.part", "a.ba9876543210.part", "a.b.0123456789ab.part"].map((name) =>
    join(dir, name),
  ) as [string, string, string]
  for (const part of [old, fresh, other]) writeFileSync(part, "half")
  for (const part of [old, other]) utimesSync(part, 1_700_000_000, 1_700_000_000)
  writeWholeFile(join(dir, "a"), "mine")
  expect(readdirSync(dir).sort()).toEqual(["a", "a.b.0123456789ab.part", "a.ba9876543210.part"])
})

test("a failed write leaves no file", () => {
  const dir = join(folder, "kept")
  mkdirSync(join(dir, "a"), { recursive: true })
  writeFileSync(join(dir, "a", "b"), "")
  expect(() => writeWholeFile(join(dir, "a"), "mine")).toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(readdirSync(dir)).toEqual(["a"])
})
