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
  mkdirSync(dir, { recursive: true })
  const own = { target: "es2022", module: "esnext", moduleResolution: "bundler", strict: true, skipLibCheck: false, noEmit: true }
  writeFileSync(
    join(dir, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...own, lib, types: [] }, files: ["program.ts"] }),
  )
  writeFileSync(
    join(dir, "program.ts"),
    `import * as library from "${entry}"\nexport const names: string[] = Object.keys(library)\n`,
  )
  return spawnSync(process.execPath, [join(root, "node_modules", compiler, "bin/tsc"), "-p", dir]).stdout.toString()
}

test.each(["typescript", "typescript-lowest"])("%s needs no types of Node.js for serac/codec and serac/client", (compiler) => {
  expect(compiled(compiler, "serac/codec", ["es2022"])).toBe("")
  expect(compiled(compiler, "serac/client", ["es2022", "dom", "dom.asynciterable", "esnext.disposable"])).toBe("")
})

test("each entry point has its declarations in one file", () => {
  for (const entry of ["index", "client", "codec"]) {
    expect(readFileSync(join(built.dir, "dist", `${entry}.d.ts`), "utf8")).not.toMatch(/^(import|export) .* from "\.|import\("/m)
  }
  expect(built.packed().filter((name) => name.endsWith(".d.ts"))).toEqual([
    "dist/client.d.ts",
    "dist/codec.d.ts",
    "dist/index.d.ts",
  ])
})
