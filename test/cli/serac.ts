import { type SpawnSyncOptions, spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { root } from "../sources.js"
import { buildOnce } from "./buildOnce.js"

/**
 * Puts `bin/serac` beside a build of the sources as they are now, in a folder of its own: the same files that a user runs, with
 * the page where a test asks for it. The folder is inside the project, so that packages are found.
 */
export function buildSerac({ hasPage = false } = {}): { readonly bin: string; remove(): void } {
  const dist = buildOnce("dist")
  const parent = join(root, "node_modules/.cache")
  const folder = mkdtempSync(join(parent, "serac-"))
  for (const name of ["bin", "package.json"]) cpSync(join(root, name), join(folder, name), { recursive: true })
  cpSync(dist, join(folder, "dist"), { recursive: true, filter: (path) => hasPage || path !== join(dist, "page") })
  return { bin: join(folder, "bin/serac"), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Runs it as a user would. */
export function runBin(bin: string, args: readonly string[], options: SpawnSyncOptions = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { maxBuffer: 1 << 28, ...options })
  return { code: status, stdout: stdout.toString(), stderr: stderr.toString() }
}
