// Bundles the command line, the library, the page and the developer tools, and writes the library's types.
//   node scripts/build.mjs                                      into dist/
//   node scripts/build.mjs --outdir D --no-types [--no-page]    for tests, which never run a stale dist/
import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { joinParts } from "./joinParts.mjs"
import { buildPage } from "./page.mjs"
import { HASH_FILE, sourcesHash } from "./sourcesHash.mjs"

const { values } = parseArgs({
  options: { outdir: { type: "string" }, "no-types": { type: "boolean" }, "no-page": { type: "boolean" } },
})
const outdir = resolve(values.outdir ?? join(dirname(fileURLToPath(import.meta.url)), "../dist"))
process.chdir(join(dirname(fileURLToPath(import.meta.url)), ".."))
// Before anything is read: a file that changes during the build makes the build stale.
const hash = sourcesHash(".")

const { build } = await import("esbuild").catch(() => {
  // `npm ci --omit=dev` ends here: there is nothing to build with, and bin/serac says what to do.
  console.error("serac: not built, since esbuild is not installed; `npm ci` installs it")
  process.exit(0)
})

// The one package that is a part of the bundle: the program uses little of it, and loading all of it takes 0.2 s.
const BUNDLED = "@bitauth/libauth"
const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"))

const modules = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  external: Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== BUNDLED),
  logLevel: "warning",
  // Data files: packed bytes that the code imports.
  loader: { ".br": "binary" },
  format: "esm",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  minifySyntax: true,
}

// Vectors and benchmarks live outside src/; a published package has neither.
const tools = { vectors: "test/vectors/cli.ts", bench: "bench/main.ts", compare: "bench/compare/main.ts" }
const present = Object.fromEntries(Object.entries(tools).filter(([, path]) => existsSync(path)))

rmSync(outdir, { recursive: true, force: true })
// Tests of the command line and the library need no page, and say so.
if (!values["no-page"]) await buildPage(join(outdir, "page"))
const workers = Object.fromEntries(
  ["tools/check/checkWorker", "workers/proofWorker", "workers/signatureWorker"].map((path) => [basename(path), `src/${path}.ts`]),
)
const library = Object.fromEntries(["index", "client", "codec"].map((name) => [name, `src/${name}.ts`]))
const parts = join(outdir, "parts")
await build({ ...modules, entryPoints: { serac: "src/cli/main.ts", ...library, ...workers }, outdir: parts })
await joinParts(parts, outdir)
rmSync(parts, { recursive: true })
copyFileSync(`node_modules/${BUNDLED}/LICENSE`, join(outdir, "LICENSE.libauth"))
if (Object.keys(present).length > 0 && !values["no-types"]) {
  await build({ ...modules, entryPoints: present, outdir: join(outdir, "dev") })
}
if (!values["no-types"]) {
  execFileSync(process.execPath, ["scripts/types.mjs", outdir], { stdio: "inherit" })
  // Tests use a whole build in place of their own while its sources are unchanged (test/cli/buildOnce.ts).
  writeFileSync(join(outdir, HASH_FILE), hash)
}
