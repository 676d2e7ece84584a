import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { needs } from "../../test/needs.js"
import { makeOwnerDirectory } from "./ownerOnly.js"

const folder = mkdtempSync(join(tmpdir(), "serac-owner-"))
afterAll(() => rmSync(folder, { recursive: true }))

test("directories that are missing are made for their owner alone, and those that are there stay", () => {
  const inner = join(folder, "a", "b", "c")
  makeOwnerDirectory(inner)
  makeOwnerDirectory(inner)
  const modes = [inner, join(folder, "a")].map((dir) => statSync(dir).mode & 0o777)
  expect(modes).toEqual([0o700, 0o700])
})

test("a directory inside a file is refused", () => {
  writeFileSync(join(folder, "file"), "")
  expect(() => makeOwnerDirectory(join(folder, "file", "inside"))).toThrow(/EEXIST|ENOTDIR/)
})

test("a file system that makes no directories says so at once", needs(existsSync("/proc/1"), "/proc"), () => {
  expect(() => makeOwnerDirectory("/proc/1/x/y")).toThrow(/ENOENT|EACCES|EPERM/)
})
