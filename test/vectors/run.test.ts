import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { runFile, vectorFiles } from "./run.js"

const folder = mkdtempSync(join(tmpdir(), "serac-vectors-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a vector file of this name and runs it. */
function run(name: string, document: unknown) {
  const path = join(folder, name)
  writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document))
  return runFile(path)
}

test("a vector that fails is reported with the expected and the actual value", () => {
  const result = run("cb58.json", {
    vectors: [{ name: "one", kind: "id", bytes: "00".repeat(32), cb58: "11111111111111111111111111111111LpoYY" }],
  })
  expect(result).toMatchObject({ passed: 1, failed: 0, failures: [] })
  const wrong = run("cb58.json", {
    vectors: [{ name: "one", kind: "id", bytes: "ff", cb58: "11111111111111111111111111111111LpoYY" }],
  })
  expect(wrong.failures).toEqual([`cb58.json [id] one: bytes: expected "ff", got "${"00".repeat(32)}"`])
  expect(wrong).toMatchObject({ passed: 0, failed: 1 })
})

test("a vector whose bytes must be refused fails when they are accepted", () => {
  const { failures } = run("cb58.json", { vectors: [{ name: "fine", kind: "invalid", cb58: "45PJLL", error: "none" }] })
  expect(failures).toEqual([`cb58.json [invalid] fine: cb58 45PJLL (none): expected a refusal, got ""`])
})

test("an unknown group is a failure, also if its name is a property of every object", () => {
  const { failures } = run("cb58.json", {
    vectors: [
      { name: "a", kind: "constructor" },
      { name: "b", kind: "base64" },
    ],
  })
  expect(failures).toEqual(["cb58.json [constructor] a: unknown group", "cb58.json [base64] b: unknown group"])
  expect(run("nobody.json", { vectors: [{ name: "a", kind: "id" }] }).failures).toEqual(["nobody.json [id] a: unknown group"])
  expect(run("gas.json", { cases: [{ name: "a", kind: "cent" }] }).failures).toEqual(["gas.json [cent] a: unknown group"])
})

test("a file without entries and a file that is not JSON are failures", () => {
  for (const document of [{}, { vectors: [] }, { cases: [] }, { vectors: {} }, [], "null", "5"]) {
    expect(run("cb58.json", document)).toMatchObject({ failed: 1, failures: ["cb58.json: no entries"] })
  }
  expect(run("cb58.json", "{").failures).toEqual(["cb58.json: the text is not JSON (offset: 1)"])
})

test("the error names a missing file or folder, and a folder without vectors", () => {
  expect(() => vectorFiles([join(folder, "none")])).toThrow("none: no such file or folder")
  const empty = mkdtempSync(join(folder, "empty-"))
  expect(() => vectorFiles([empty])).toThrow("no vector files (*.json) in this folder")
})
