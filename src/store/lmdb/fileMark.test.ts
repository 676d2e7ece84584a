import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { fileMark } from "./cleanClose.js"

const dir = mkdtempSync(join(tmpdir(), "serac-mark-"))
afterAll(() => rmSync(dir, { recursive: true }))

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
