import { randomBytes } from "node:crypto"
import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { OWNER_FILE } from "./ownerOnly.js"

/**
 * Writes a file atomically: its bytes go to a new file beside it, which is then renamed. The new file is created exclusively under a random
 * name, so that no existing link is followed; a link at `path` itself is replaced. By default only the owner may read it. Throws the file
 * system's error.
 */
export function writeWholeFile(path: string, bytes: string | Uint8Array, mode: number = OWNER_FILE): void {
  const part = `${path}.${randomBytes(6).toString("hex")}.part`
  removeStaleParts(path)
  try {
    writeFileSync(part, bytes, { flag: "wx", mode, flush: true })
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Milliseconds after which a partial file counts as left over from a killed process. */
const STALE_AFTER = 600_000

/** Removes the partial files that killed processes have left. */
function removeStaleParts(path: string): void {
  const prefix = `${basename(path)}.`
  const isPart = (name: string) => name.startsWith(prefix) && /^[0-9a-f]{12}\.part$/.test(name.slice(prefix.length))
  try {
    for (const name of readdirSync(dirname(path)).filter(isPart)) {
      const part = join(dirname(path), name)
      if (Date.now() - lstatSync(part).mtimeMs > STALE_AFTER) rmSync(part, { force: true })
    }
  } catch {
    // A partial file that cannot be removed does no harm.
  }
}
