// Bundles the command line, the library and the developer tools into dist/, and writes the library's types.
import { execFileSync } from "node:child_process"
import { existsSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
process.chdir(root)
rmSync("dist", { recursive: true, force: true })

const common = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  packages: "external",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  logLevel: "warning",
}

await build({ ...common, entryPoints: { serac: "src/cli/main.ts", index: "src/index.ts" }, outdir: "dist", minifySyntax: true })

// Vectors and benchmarks live outside src/; a published package has neither.
const tools = { vectors: "test/vectors/cli.ts", bench: "bench/main.ts" }
const present = Object.fromEntries(Object.entries(tools).filter(([, path]) => existsSync(path)))
if (Object.keys(present).length > 0) await build({ ...common, entryPoints: present, outdir: "dist/dev" })

execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json"], { stdio: "inherit" })
