import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { newDirectoryRemover } from "./newDirectoryRemover.js"

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "serac-new-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test("a directory that did not exist is removed with its empty parents, and nothing else", () => {
  const folder = temporaryFolder()
  const dir = join(folder, "a/b/chain")
  const removeNew = newDirectoryRemover(dir)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, "data"), "")
  removeNew()
  expect(readdirSync(folder)).toEqual([])
  removeNew()
  expect(existsSync(folder)).toBe(true)
})

test("a parent that holds something else stays", () => {
  const folder = temporaryFolder()
  const dir = join(folder, "a/b/chain")
  const removeNew = newDirectoryRemover(dir)
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(folder, "a/b/note"), "")
  removeNew()
  expect(readdirSync(join(folder, "a/b"))).toEqual(["note"])
})

test("a directory that existed before stays as it is", () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "data"), "")
  newDirectoryRemover(folder)()
  expect(readdirSync(folder)).toEqual(["data"])
})
