// Writes the declarations of the library into one file for each entry point.
//   node scripts/types.mjs OUTDIR
import { execFileSync } from "node:child_process"
import { rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { rollup } from "rollup"
import { dts } from "rollup-plugin-dts"

const outdir = resolve(process.argv[2] ?? "dist")
const separate = join(outdir, "separate")
try {
  // Types only: whether they fit is what `npm run check` asks.
  const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json", "--noCheck", "--outDir", separate]
  execFileSync(process.execPath, tsc, { stdio: "inherit" })
  const bundle = await rollup({ input: { index: join(separate, "src/index.d.ts") }, external: /^node:/, plugins: [dts()] })
  await bundle.write({ dir: outdir, format: "es" })
} finally {
  rmSync(separate, { recursive: true })
}
