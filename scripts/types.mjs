// Writes the declarations of the library into one file for each entry point.
//   node scripts/types.mjs OUTDIR
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { rollup } from "rollup"
import { dts } from "rollup-plugin-dts"

const outdir = resolve(process.argv[2] ?? "dist")
// Inside the project, so that the types of packages are found, but not below node_modules, whose declarations are not bundled.
mkdirSync(".serac", { recursive: true })
const separate = mkdtempSync(resolve(".serac/types-"))
try {
  // Types only: whether they fit is what `npm run check` asks.
  const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json", "--noCheck", "--outDir", separate]
  execFileSync(process.execPath, tsc, { stdio: "inherit" })
  for (const entry of ["index", "client", "codec"]) {
    const bundle = await rollup({ input: join(separate, `src/${entry}.d.ts`), external: /^node:/, plugins: [dts()] })
    await bundle.write({ file: join(outdir, `${entry}.d.ts`), format: "es" })
  }
} finally {
  rmSync(separate, { recursive: true })
}
