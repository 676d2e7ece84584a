import { execFileSync } from "node:child_process"
import {
  cpSync,
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
import { HASH_FILE, sourcesHash } from "../../scripts/sourcesHash.mjs"
import { root } from "../sources.js"

const CACHE = join(root, "node_modules/.cache")
const PREFIX = "serac-build-"
const HOUR = 3_600_000

/** A part of a build: the bundles with the page, or the types of the library. */
type Part = "dist" | "types"

const COMMANDS: Readonly<Record<Part, (outdir: string) => string[]>> = {
  dist: (outdir) => ["scripts/build.mjs", "--no-types", "--outdir", outdir],
  types: (outdir) => ["scripts/types.mjs", outdir],
}

/**
 * Builds a part from the sources as they are now and returns its folder, which must not be changed. The folder is named after a
 * hash of the sources' names, sizes and times, so that all test files of a run share one build and none ever sees a stale one. The build
 * that `npm ci` made is used while the sources are unchanged.
 */
export function buildOnce(part: Part): string {
  const hash = sourcesHash(root)
  const folder = join(CACHE, PREFIX + hash)
  const outdir = join(folder, part)
  if (existsSync(outdir)) return outdir
  mkdirSync(folder, { recursive: true })
  withLock(join(folder, `${part}.lock`), () => {
    if (existsSync(outdir)) return
    removeOldBuilds()
    const workplace = mkdtempSync(join(folder, "making-"))
    if (!copyCurrentBuild(part, hash, join(workplace, part)))
      execFileSync(process.execPath, COMMANDS[part](join(workplace, part)), {
        cwd: root,
        stdio: "inherit",
        // The tests run in an environment in which vite would not build for production.
        env: { ...process.env, NODE_ENV: "production" },
      })
    renameSync(join(workplace, part), outdir)
    rmSync(workplace, { recursive: true })
  })
  return outdir
}

/** Copies a part of the build of `npm ci` or `npm run build`, if that is whole and from the same sources. */
function copyCurrentBuild(part: Part, hash: string, outdir: string): boolean {
  const dist = join(root, "dist")
  const stamp = join(dist, HASH_FILE)
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== hash) return false
  const others = ["dev", HASH_FILE].map((name) => join(dist, name))
  const isType = (path: string) => path.endsWith(".d.ts") || path === join(dist, "types")
  cpSync(dist, outdir, {
    recursive: true,
    filter: (path) => path === dist || (!others.includes(path) && isType(path) === (part === "types")),
  })
  return true
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
