import { execFileSync, type SpawnSyncOptions, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { root } from "../sources.js"

/**
 * `bin/serac` beside a bundle made from the sources as they are now, in a folder of its own: the same files that a user
 * runs, never a stale one, and no other process's build in the way; with the page where a test
 * asks for it. Inside the project, so that packages are found.
 */
export function buildSerac({ hasPage = false } = {}): { readonly bin: string; remove(): void } {
  const parent = join(root, "node_modules/.cache")
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, "serac-"))
  for (const name of ["bin", "package.json"]) cpSync(join(root, name), join(folder, name), { recursive: true })
  const left = hasPage ? ["--no-types"] : ["--no-types", "--no-page"]
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), ...left, "--outdir", join(folder, "dist")])
  return { bin: join(folder, "bin/serac"), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Runs it as a user would. */
export function runBin(bin: string, args: readonly string[], options: SpawnSyncOptions = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { maxBuffer: 1 << 28, ...options })
  return { code: status, stdout: stdout.toString(), stderr: stderr.toString() }
}
