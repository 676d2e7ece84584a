import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { changingState, impurities, makersOfState } from "./purity.js"
import { isTest, root, sources } from "./sources.js"

const files = sources()
  .filter(({ path }) => path.startsWith("core/") && !isTest(path) && !path.endsWith("_pb.ts"))
  .map(({ path }) => ({ path, text: readFileSync(join(root, "src", path), "utf8") }))
const makers = new Set(files.flatMap(({ path, text }) => makersOfState(path, text)))

test("core uses no module of Node.js, and no global that is not pure", () => {
  expect(files.flatMap(({ path, text }) => impurities(path, text).map((each) => `${path}: ${each}`))).toEqual([])
})

test("no module of core has state that changes after loading", () => {
  expect(files.flatMap(({ path, text }) => changingState(path, text, makers).map((each) => `${path}: ${each}`))).toEqual([])
})

test.each([
  ["Date.now()", "Date"],
  ["const { now } = Date", "Date"],
  ["new Date()", "Date"],
  ["Math.random()", "Math"],
  ["Math['random']()", "Math"],
  ["const m = Math", "Math"],
  ["performance.now()", "performance"],
  ["globalThis.process.env", "globalThis"],
  ["const process = 1; function f(process: object) { return process }", "process"],
  ["crypto.getRandomValues(a)", "crypto"],
  ["queueMicrotask(() => {})", "queueMicrotask"],
  ["require('fs')", "require"],
  ["eval('1')", "eval"],
  ["new Function('return Math.random()')()", "Function"],
  ["await import('node:fs')", "node:fs"],
  ["await import('no' + 'de:fs')", "import()"],
  ["import fs from 'node:fs'", "node:fs"],
  ["load('node:' + 'fs'); import.meta.resolve('fs')", "import.meta"],
])("%j is found as %s", (text, name) => {
  expect(impurities("a.ts", `const a = 1\n${text}`)).toContain(name)
})

test.each([
  "let a = 0",
  "var a = 0",
  "const a = new Uint8Array(8)\nfunction f() { a[0] = 1 }",
  "const a = { b: 0 }\nconst f = () => { a.b++ }",
  "const a = new Map()\nfunction f(key: string) { a.set(key, 1) }",
  "const a = [1]\nexport class B { c() { a.push(2) } }",
  "const a = new DataView(new ArrayBuffer(8))\nfunction f() { a.setUint8(0, 1) }",
  "const a = Buffer.alloc(8)\nfunction f() { a.write('x') }",
  "const a = /x/g\nfunction f(text: string) { return a.exec(text) }",
  "const a = /x/y\nfunction f(text: string) { return match(a, text) }",
  "const a = memo(() => 1)",
  "const a = arrow(() => 1)",
  "class B { static a = 0; next() { return ++B.a } }",
  "class B { static readonly a = new Map(); }",
  "const a = new Counter()",
])("%j has state that changes", (text) => {
  expect(changingState("a.ts", text, makersOf())).toEqual(["a"])
})

test("tables that are filled while a module is loaded, and values of a function, are no such state", () => {
  const text =
    "const A = new Uint8Array(8)\nfor (let i = 0; i < 8; i++) A[i] = i\nfunction f() {\n  const b = new Map()\n  b.set(1, A[0])\n}"
  expect(changingState("a.ts", text, makersOf())).toEqual([])
})

const makersOf = () =>
  new Set(
    makersOfState(
      "b.ts",
      `function memo(f) { let last; return () => (last ??= f()) }
       const arrow = (f) => { let last; return () => (last ??= f()) }
       function plain(f) { let sum = 0; sum += 1; return () => sum }
       class Counter { #count = 0; next() { return ++this.#count + (this.#count += 1) } }`,
    ),
  )
