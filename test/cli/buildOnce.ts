import { execFileSync } from "node:child_process"
import { createHash, type Hash } from "node:crypto"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { root } from "../sources.js"

const CACHE = join(root, "node_modules/.cache")
const PREFIX = "serac-build-"
/** Everything that a build depends on. */
const INPUTS = ["bin", "src", "scripts", "package.json", "package-lock.json", "tsconfig.json", "tsconfig.types.json"]
const HOUR = 3_600_000

/** A part of a build: the bundles with the page, or the types of the library. */
type Part = "dist" | "types"

const COMMANDS: Readonly<Record<Part, (outdir: string) => string[]>> = {
  dist: (outdir) => ["scripts/build.mjs", "--no-types", "--outdir", outdir],
  types: (outdir) => ["node_modules/typescript/bin/tsc", "-p", "tsconfig.types.json", "--noCheck", "--outDir", outdir],
}

/**
 * Builds a part from the sources as they are now and returns its folder, which must not be changed. The folder is named after a
 * hash of the sources' names, sizes and times, so that all test files of a run share one build and none ever sees a stale one.
 */
export function buildOnce(part: Part): string {
  const folder = join(CACHE, PREFIX + sourcesHash())
  const outdir = join(folder, part)
  if (existsSync(outdir)) return outdir
  mkdirSync(folder, { recursive: true })
  withLock(join(folder, `${part}.lock`), () => {
    if (existsSync(outdir)) return
    removeOldBuilds()
    const workplace = mkdtempSync(join(folder, "making-"))
    // The build starts what it built, which finds its parts by the names in package.json.
    copyFileSync(join(root, "package.json"), join(workplace, "package.json"))
    execFileSync(process.execPath, COMMANDS[part](join(workplace, part)), { cwd: root, stdio: "inherit" })
    renameSync(join(workplace, part), outdir)
    rmSync(workplace, { recursive: true })
  })
  return outdir
}

function sourcesHash(): string {
  const hash = createHash("sha256")
  for (const input of INPUTS) addFiles(hash, input)
  return hash.digest("hex").slice(0, 16)
}

function addFiles(hash: Hash, path: string): void {
  const full = join(root, path)
  const found = statSync(full)
  if (found.isDirectory()) {
    for (const name of readdirSync(full).sort()) addFiles(hash, `${path}/${name}`)
    return
  }
  hash.update(`${path} ${found.size} ${found.mtimeMs}\n`)
}

/** Does the work while no other worker of the tests holds the lock; a lock whose process has ended does not count. */
function withLock(path: string, work: () => void): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  while (!isTaken(path)) Atomics.wait(nobody, 0, 0, 50)
  try {
    work()
  } finally {
    rmSync(path, { force: true })
  }
}

function isTaken(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" })
    return true
  } catch {
    if (!isHeld(path)) rmSync(path, { force: true })
    return false
  }
}

function isHeld(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, "utf8")), 0)
    return true
  } catch {
    return false
  }
}

function removeOldBuilds(): void {
  for (const name of readdirSync(CACHE)) {
    const folder = join(CACHE, name)
    if (name.startsWith(PREFIX) && Date.now() - statSync(folder).mtimeMs > HOUR) rmSync(folder, { recursive: true, force: true })
  }
}
