import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { root } from "../sources.js"
import { type BuiltPackage, buildPackage } from "./package.js"

let built: BuiltPackage

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built?.remove())

/** Compiles a program that uses an entry point; the declarations are checked, too. Returns what the compiler says. */
function compiled(compiler: string, entry: string, lib: readonly string[]): string {
  const dir = join(built.dir, "declarations", compiler, entry.replace("/", "-"))
  const program = `import * as library from "${entry}"\nexport const names: string[] = Object.keys(library)\n`
  return compiledProgram(compiler, dir, program, lib)
}

function compiledProgram(compiler: string, dir: string, program: string, lib: readonly string[]): string {
  mkdirSync(dir, { recursive: true })
  const own = { target: "es2022", module: "esnext", moduleResolution: "bundler", strict: true, skipLibCheck: false, noEmit: true }
  writeFileSync(
    join(dir, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...own, lib, types: [] }, files: ["program.ts"] }),
  )
  writeFileSync(join(dir, "program.ts"), program)
  return spawnSync(process.execPath, [join(root, "node_modules", compiler, "bin/tsc"), "-p", dir]).stdout.toString()
}

test.each(["typescript", "typescript-lowest"])("%s needs no types of Node.js for serac/codec and serac/client", (compiler) => {
  expect(compiled(compiler, "serac/codec", ["es2022"])).toBe("")
  expect(compiled(compiler, "serac/client", ["es2022", "dom", "dom.asynciterable", "esnext.disposable"])).toBe("")
})

test("a type that several entry points use is declared once, so that a value of one fits another", () => {
  const dir = join(built.dir, "declarations", "fitting")
  const program = `import type { ID, Json } from "serac/codec"
import { printJson } from "serac/client"
import { Invalid } from "serac"
import { idText, Invalid as Same } from "serac/codec"
export const text = (json: Json, id: ID): string => printJson(json) + idText(id)
export const same: typeof Invalid = Same
export const isSame = (refusal: Invalid): refusal is Same => true
`
  expect(compiledProgram("typescript", dir, program, ["es2022", "dom", "dom.asynciterable", "esnext.disposable"])).toBe("")
  const declaring = built
    .packed()
    .filter((name) => name.endsWith(".d.ts"))
    .filter((name) => readFileSync(join(built.dir, name), "utf8").includes("declare const brand: unique symbol"))
  expect(declaring.length).toBe(1)
})
