// Writes the declarations of the library: a file for each entry point, and files for what several of them use.
//   node scripts/types.mjs OUTDIR
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { rollup } from "rollup"
import { dts } from "rollup-plugin-dts"
import { methodTypes } from "./methodTypes.mjs"

const outdir = resolve(process.argv[2] ?? "dist")
// Inside the project, so that the types of packages are found, but not below node_modules, whose declarations are not bundled.
mkdirSync(".serac", { recursive: true })
const separate = mkdtempSync(resolve(".serac/types-"))
try {
  // Types only: whether they fit is what `npm run check` asks.
  const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json", "--noCheck", "--outDir", separate]
  execFileSync(process.execPath, tsc, { stdio: "inherit" })
  // The types of the methods, with comments, in place of those that the compiler infers.
  writeFileSync(join(separate, "src/client/methodTypes.d.ts"), await methodTypes())
  const input = Object.fromEntries(["index", "client", "codec"].map((entry) => [entry, join(separate, `src/${entry}.d.ts`)]))
  // The types of which an entry point only uses members have no public name.
  const onwarn = (warning, warn) => warning.message.includes("private shared type exports") || warn(warning)
  const bundle = await rollup({ input, external: /^node:/, plugins: [dts()], onwarn })
  await bundle.write({
    dir: outdir,
    format: "es",
    entryFileNames: "[name].d.ts",
    // What several entry points export is declared once, so that a value of one fits the parameters of another.
    chunkFileNames: ({ name }) => `types/${name.replace(/\.d$/, "")}.d.ts`,
    minifyInternalExports: false,
    // `Symbol.asyncDispose`, which neither es2022 nor a browser's library declares. The types of Node.js do, but not every project has them.
    banner: '/// <reference lib="esnext.disposable" />',
  })
} finally {
  rmSync(separate, { recursive: true })
}
