import { type SpawnSyncOptions, spawnSync } from "node:child_process"
import { cpSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
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
  linkFiles(dist, join(folder, "dist"), hasPage ? [] : ["page"])
  return { bin: join(folder, "bin/serac"), remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Makes a folder with links to the files of another, without the named ones. Links take a hundredth of the time of a copy. */
function linkFiles(from: string, to: string, except: readonly string[] = []): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (except.includes(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFiles(source, target)
    else linkSync(source, target)
  }
}

/** A built `bin/serac`, and a folder for the data of tests. */
export interface SeracOfFile {
  readonly bin: string
  readonly folder: string
}

/** Builds `bin/serac` before the tests of the calling file, and makes a folder for their data. Both are removed after the tests. */
export function seracOfFile(name: string): SeracOfFile {
  const folder = mkdtempSync(join(tmpdir(), `serac-${name}-`))
  let built: ReturnType<typeof buildSerac> | undefined
  beforeAll(() => {
    built = buildSerac()
  })
  afterAll(() => {
    built?.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    folder,
    get bin() {
      if (!built) throw new Error("bin/serac is built before the tests of a file, not before the file itself")
      return built.bin
    },
  }
}

/** Runs `bin/serac` with these arguments. */
export function runBin(bin: string, args: readonly string[], options: SpawnSyncOptions = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { maxBuffer: 1 << 28, ...options })
  return { code: status, stdout: stdout.toString(), stderr: stderr.toString() }
}
