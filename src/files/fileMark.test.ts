import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { certainFileMark, fileMark } from "./fileMark.js"

const dir = mkdtempSync(join(tmpdir(), "serac-mark-"))
afterAll(() => rmSync(dir, { recursive: true }))

/** An hour from now, Unix milliseconds: the changes that these tests make are old by then. */
const LATER = Date.now() + 3_600_000

function newFile(name: string, content = "genesis"): string {
  const path = join(dir, name)
  writeFileSync(path, content)
  return path
}

test("a mark stays the same while its file does, and changes with its size, its times and the file itself", () => {
  const path = newFile("a")
  const marks = [fileMark(path), fileMark(path)]
  const changes = [
    () => writeFileSync(path, "genesis with more"),
    () => utimesSync(path, 0, 0),
    () => renameSync(newFile("b", "genesis with more"), path),
  ]
  for (const change of changes) {
    change()
    marks.push(fileMark(path))
  }
  expect(marks[1]).toBe(marks[0])
  expect(new Set(marks).size).toBe(4)
  expect(fileMark(join(dir, "missing"))).toBeUndefined()
})

test("a mark is certain two seconds after the last change of a plain file", () => {
  const path = newFile("c")
  const changed = Number(statSync(path, { bigint: true }).ctimeNs / 1_000_000n)
  expect(certainFileMark(path, changed + 1999)).toBeUndefined()
  expect(certainFileMark(path, changed + 2001)).toBe(fileMark(path))
  mkdirSync(join(dir, "folder"))
  const others = [join(dir, "folder"), join(dir, "missing"), join(path, "below a file"), "/dev/null"]
  expect(others.map((each) => certainFileMark(each, LATER))).toEqual([undefined, undefined, undefined, undefined])
})
