import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { methodTypes } from "../../scripts/methodTypes.mjs"
import { root } from "../sources.js"
import { type BuiltPackage, buildPackage } from "./package.js"

let built: BuiltPackage

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built?.remove())

/** Compiles a program with the declarations that it uses. Returns what the compiler says. */
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

test.each(["typescript", "typescript-lowest"])(
  "%s needs neither types of Node.js nor of a browser for the library",
  (compiler) => {
    const imports = ["serac", "serac/client", "serac/codec"].map((entry, i) => `import * as entry${i} from "${entry}"`)
    const program = `${imports.join("\n")}\nexport const names = Object.keys({ ...entry0, ...entry1, ...entry2 })\n`
    expect(compiledProgram(compiler, join(built.dir, "declarations", compiler), program, ["es2022"])).toBe("")
  },
  240_000,
)

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
  expect(compiledProgram("typescript", dir, program, ["es2022", "dom"])).toBe("")
  const declaring = built
    .packed()
    .filter((name) => name.endsWith(".d.ts"))
    .filter((name) => readFileSync(join(built.dir, name), "utf8").includes("declare const brand: unique symbol"))
  expect(declaring.length).toBe(1)
})

/** The mistakes of a program that uses the library, as the compiler names them: its first lines, without places. */
function mistakesIn(lines: readonly string[]): string[] {
  const dir = join(built.dir, "declarations", "mistakes")
  const program = ['import { startDevnet } from "serac"', "const { dev, rpc } = await startDevnet()", ...lines, "export {}", ""]
  const said = compiledProgram("typescript", dir, program.join("\n"), ["es2022", "dom"])
  return said
    .split("\n")
    .filter((line) => line.includes("error TS"))
    .map((line) => line.replace(/^.*error TS\d+: /, ""))
}

test("a mistake in a call is told in one sentence", () => {
  const lines = [
    'await rpc("platform.getBalanc")',
    'await rpc("platform.getBalance", { adresses: [] })',
    "await dev.addValidators()",
    'await rpc("dev.addValidators")',
    "await dev.addValidators({ weight: 5n })",
    "await dev.advancetime({ seconds: 1 })",
    "await dev.status({ seconds: 1 })",
  ]
  expect(mistakesIn(lines).map((text) => text.replace(/in type '\{[\s\S]*\}'/, "in type '{…}'"))).toMatchInlineSnapshot(`
    [
      "Argument of type '"platform.getBalanc"' is not assignable to parameter of type 'keyof Methods'.",
      "Object literal may only specify known properties, but 'adresses' does not exist in type '{…}'. Did you mean to write 'addresses'?",
      "Expected 1 arguments, but got 0.",
      "Expected 2 arguments, but got 1.",
      "Property 'count' is missing in type '{…}'.",
      "Property 'advancetime' does not exist on type 'DevCalls'. Did you mean 'advanceTime'?",
      "Type 'number' is not assignable to type 'never'.",
    ]
  `)
})

test("right calls compile: both forms of an answer, members of some kinds of validators, and 64-bit integers", () => {
  const right = [
    'const text: string = (await rpc("platform.getTx", { txID: "" })).tx',
    'const hex: string = (await rpc("platform.getBlock", { blockID: "", encoding: "hexnc" })).block',
    'const { unsignedTx } = (await rpc("platform.getTx", { txID: "", encoding: "json" })).tx',
    'const { height }: { height: bigint } = await rpc("platform.getHeight")',
    'const [first] = (await rpc("platform.getCurrentValidators")).validators',
    "const shown: [bigint | undefined, string | undefined] = [first?.balance, first?.delegationFee]",
    "await dev.advanceTime({ seconds: 60 })",
    "await dev.setTime({ to: 5n })",
    "console.log(text, hex, unsignedTx, height, shown)",
  ]
  expect(mistakesIn(right)).toEqual([])
})

test("the written types of the methods are those that the compiler infers from their schemas", async () => {
  const dir = join(built.dir, "declarations", "same")
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, "written.d.ts"), (await methodTypes()).replaceAll('from "../', `from "${root}/src/`))
  const program = `import type { Calls as WrittenCalls, Methods as Written } from "./written.js"
import type { Calls, Methods } from "${root}/src/client/methodTypes.js"
type Name = keyof Methods & keyof Written
type Is<A, B> = [A] extends [B] ? true : false
type Json<T> = T extends { readonly json: infer J } ? J : undefined
type Compared = { readonly [N in Name]: [
  Is<Written[N]["params"], Methods[N]["params"]>,
  Is<Written[N]["answer"], Methods[N]["answer"]>, Is<Methods[N]["answer"], Written[N]["answer"]>,
  Is<Json<Methods[N]>, Json<Written[N]>>,
] }
export const names: Is<keyof Methods, keyof Written> & Is<keyof Written, keyof Methods> = true
export const functions: { readonly [S in keyof Calls]: Is<keyof Calls[S], keyof WrittenCalls[S]> } = {} as Record<keyof Calls, true>
export const types: Compared = {} as Readonly<Record<Name, [true, true, true, true]>>
`
  writeFileSync(join(dir, "program.ts"), program)
  const options = { noEmit: true, types: ["node"], skipLibCheck: true, resolveJsonModule: true, allowArbitraryExtensions: true }
  writeFileSync(
    join(dir, "tsconfig.json"),
    JSON.stringify({ extends: join(root, "tsconfig.json"), compilerOptions: options, include: [], files: ["program.ts"] }),
  )
  const { stdout } = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", dir])
  expect(stdout.toString()).toBe("")
})

test("the editor shows the sentences of the documentation for methods, parameters and members of answers", () => {
  const text = readFileSync(join(built.dir, "dist/client.d.ts"), "utf8")
  const method =
    /\/\*\* Moves the clock forward and produces every block[^\n]*\n\s*advanceTime\(params\?: Methods\["dev\.advanceTime"\]/
  expect(text).toMatch(method)
  expect(text).toMatch(/\/\*\* The number of seconds to move forward\.[^\n]*\n\s*readonly seconds\?: /)
  const undescribed = [...text.matchAll(/readonly params: \{\n([\s\S]*?)\n {4}\}\n/g)].flatMap(([, members = ""]) =>
    [...members.matchAll(/^(.*)\n {6}readonly (\w+)/gm)].filter(([, before]) => !before?.trim().endsWith("*/")),
  )
  expect(undescribed).toEqual([])
})
