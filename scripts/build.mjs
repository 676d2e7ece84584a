// Bundles the command line, the library, the page and the developer tools, and writes the library's types.
//   node scripts/build.mjs                                      into dist/
//   node scripts/build.mjs --outdir D --no-types [--no-page]    for tests, which never run a stale dist/
import { execFileSync } from "node:child_process"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { buildPage } from "./page.mjs"
import { HASH_FILE, sourcesHash } from "./sourcesHash.mjs"
import { loadVendored, vendor } from "./vendor.mjs"

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

const common = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  packages: "external",
  logLevel: "warning",
  // Data files: packed bytes that the code imports.
  loader: { ".br": "binary" },
  plugins: [loadVendored],
}
const modules = { ...common, format: "esm", splitting: true, chunkNames: "chunks/[name]-[hash]" }
// One file, whose compiled code can be kept (bin/load.js). A part that a command imports when it runs is evaluated then.
const script = {
  ...common,
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  // Node 20 refuses import() in code that was compiled ahead; require loads the same packages.
  supported: { "dynamic-import": false },
  define: { "import.meta.url": "bundleUrl" },
  banner: { js: '"use strict";\nconst bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
}

// Vectors and benchmarks live outside src/; a published package has neither.
const tools = { vectors: "test/vectors/cli.ts", bench: "bench/main.ts", compare: "bench/compare/main.ts" }
const present = Object.fromEntries(Object.entries(tools).filter(([, path]) => existsSync(path)))

rmSync(outdir, { recursive: true, force: true })
// Tests of the command line and the library need no page, and say so.
if (!values["no-page"]) await buildPage(join(outdir, "page"))
const workers = Object.fromEntries(
  ["check/checkWorker", "genesis/proofWorker", "signatureWorker"].map((path) => [basename(path), `src/node/${path}.ts`]),
)
await build({ ...script, entryPoints: { serac: "src/cli/main.ts" }, outdir, minifySyntax: true })
await build({ ...modules, entryPoints: { index: "src/index.ts", ...workers }, outdir, minifySyntax: true })
await vendor(build, outdir)
compileAhead()
if (Object.keys(present).length > 0 && !values["no-types"]) {
  await build({ ...modules, entryPoints: present, outdir: join(outdir, "dev") })
}
if (!values["no-types"]) {
  // Types only: whether they fit is what `npm run check` asks.
  const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json", "--noCheck", "--outDir", join(outdir, "types")]
  execFileSync(process.execPath, tsc, { stdio: "inherit" })
  // Tests use a whole build in place of their own while its sources are unchanged (test/cli/buildOnce.ts).
  writeFileSync(join(outdir, HASH_FILE), hash)
}

/** Keeps the compiled code of a start. A build without it works, and starts more slowly. */
function compileAhead() {
  try {
    execFileSync(process.execPath, ["scripts/codeCache.mjs", outdir], { stdio: "inherit" })
  } catch (error) {
    console.error(`serac: built without compiled code: ${error.message}`)
  }
}
