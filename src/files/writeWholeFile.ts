import { randomBytes } from "node:crypto"
import { lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { OWNER_FILE } from "./ownerOnly.js"

/**
 * Writes a file whole or not at all: its bytes go to a new file beside it, which then takes its name. The new file is
 * made exclusively under a random name, so that no link that somebody left is followed; a link at `path` itself is
 * replaced. Only the owner may read it unless `mode` says otherwise. Throws what the file system refuses.
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

/** Milliseconds after which a part that nobody has written to is left over from a process that was killed. */
const STALE_AFTER = 600_000

/** Removes the parts of this file that killed processes have left. */
function removeStaleParts(path: string): void {
  const prefix = `${basename(path)}.`
  const isPart = (name: string) => name.startsWith(prefix) && /^[0-9a-f]{12}\.part$/.test(name.slice(prefix.length))
  try {
    for (const name of readdirSync(dirname(path)).filter(isPart)) {
      const part = join(dirname(path), name)
      if (Date.now() - lstatSync(part).mtimeMs > STALE_AFTER) rmSync(part, { force: true })
    }
  } catch {
    // A part that cannot be removed is in nobody's way.
  }
}
