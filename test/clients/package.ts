import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { root } from "../sources.js"

/**
 * The package as it is published, built from the sources as they are now, with the examples beside it: what imports "serac" there
 * gets this build. Inside the project, so that other packages are found, but not below node_modules, where tests are not looked for.
 */
export function buildPackage(): { readonly dir: string; remove(): void } {
  mkdirSync(join(root, ".serac"), { recursive: true })
  const dir = mkdtempSync(join(root, ".serac/package-"))
  for (const name of ["bin", "examples", "package.json"]) cpSync(join(root, name), join(dir, name), { recursive: true })
  const run = (...args: string[]) => execFileSync(process.execPath, args, { cwd: root, stdio: "inherit" })
  run("scripts/build.mjs", "--no-types", "--outdir", join(dir, "dist"))
  run("node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json", "--noCheck", "--outDir", join(dir, "dist/types"))
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
