import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { runInNewContext } from "node:vm"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, test } from "vitest"
import { root } from "../sources.js"
import { type BuiltPackage, buildPackage } from "./package.js"

/** What `npm pack --json` says about a tarball. */
interface Packed {
  readonly filename: string
  readonly size: number
  readonly unpackedSize: number
}

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
}
/** A folder outside the project, as a user has it. */
const folder = mkdtempSync(join(tmpdir(), "serac-user-"))
const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, encoding: "utf8" })

let built: BuiltPackage
let packed: Packed

// As `npm install serac-0.1.0.tgz` does it, but without the registry: the tarball is unpacked, and beside it are the packages that it names, and no other.
beforeAll(() => {
  built = buildPackage()
  const output = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { cwd: built.dir })
  packed = (JSON.parse(output.toString()) as [Packed])[0]
  const modules = join(folder, "node_modules")
  mkdirSync(join(modules, "serac"), { recursive: true })
  mkdirSync(join(modules, ".bin"))
  run("tar", "xzf", packed.filename, "-C", join(modules, "serac"), "--strip-components=1")
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, "node_modules", name), join(modules, name))
  }
  symlinkSync("../serac/bin/serac", join(modules, ".bin/serac"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "dependencies": { "serac": "*" } }')
})
afterAll(() => {
  built?.remove()
  rmSync(folder, { recursive: true, force: true })
})

test("the tarball is below 3 MB and unpacks below 8 MB", () => {
  expect(statSync(join(folder, packed.filename)).size).toBe(packed.size)
  expect(packed.size).toBeLessThan(3_000_000)
  expect(packed.unpackedSize).toBeLessThan(8_000_000)
})

test("npx serac runs in an empty folder", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  expect(run("npx", "--no", "--", "serac", "--version").split("\n")[0]).toContain(version)
})

test("a program starts a chain with serac and reads it with serac/client and serac/codec", () => {
  const program = `
    import { Invalid, startDevnet } from "serac"
    import * as client from "serac/client"
    import * as codec from "serac/codec"
    const devnet = await startDevnet()
    const call = client.httpClient(devnet.url)
    const { height } = await call("platform.getHeight")
    const { block } = await call("platform.getBlockByHeight", { height, encoding: "hex" })
    const { txs } = codec.decodeBlock(codec.fromHexText(block))
    console.log(height, txs.map(({ unsignedTx }) => unsignedTx.kind), Invalid === client.Invalid, Invalid === codec.Invalid)
    await devnet.stop()`
  writeFileSync(join(folder, "program.js"), program)
  expect(run(process.execPath, "program.js")).toBe("1n [ 'BaseTx' ] true true\n")
})

test("a bundle of serac/codec for a browser needs nothing but ECMAScript and the encoders of text", async () => {
  const contents = `import { decodeTx, fromHexText, idText } from "serac/codec"
    globalThis.shown = (text) => idText(decodeTx(fromHexText(text)).id)`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    platform: "browser",
    format: "iife",
    write: false,
  })
  const context = { TextEncoder, TextDecoder, shown: (_: string) => "" }
  // As a browser with a strict content policy, which makes no functions of texts.
  const contextCodeGeneration = { strings: false, wasm: false }
  runInNewContext((outputFiles[0] as { text: string }).text, context, { contextCodeGeneration })
  const text = "0x0000000000143d0ad12b8ee8928edf248ca91ca55600fb383f07c32bff1d6dec472b25cf59a7000000000e3cb60c"
  expect(context.shown(text)).toBe("fbt5Rw6Q5MLBrtaaNH9Fx9gMezowx6Ggd8zcxvKXjxkWK8qqU")
})

test("the program names no other packages than its dependencies and optional ones, and each of them", () => {
  const files = built.packed().filter((name) => /^dist\/.*\.js$/.test(name))
  const texts = files.map((name) => readFileSync(join(built.dir, name), "utf8"))
  // Imports, and packages that are loaded when they are needed (src/platform/load.ts).
  const named =
    /^(?:import|export|\}).* from ["']([@a-z][^"']*)["']|\b(?:import|load)\(["']([@a-z][^"']*)["']|createRequire\([^)]*\)\("([^"]*)"/gm
  const imported = texts.flatMap((text) => [...text.matchAll(named)].map((match) => (match[1] ?? match[2] ?? match[3]) as string))
  const packages = imported.filter((name) => !name.startsWith("node:")).map((name) => /^(@[^/]*\/)?[^/]*/.exec(name)?.[0])
  expect([...new Set(packages)].sort()).toEqual(Object.keys({ ...dependencies, ...peerDependencies }).sort())
})
