import { randomBytes } from "node:crypto"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { OWNER_FILE } from "./ownerOnly.js"

/**
 * Writes a file whole or not at all: its bytes go to a new file beside it, which then takes its name. The new file is
 * made exclusively under a random name, so that no link that somebody left is followed; a link at `path` itself is
 * replaced. Only the owner may read it unless `mode` says otherwise. Throws what the file system refuses.
 */
export function writeWholeFile(path: string, bytes: string | Uint8Array, mode: number = OWNER_FILE): void {
  const part = `${path}.${randomBytes(6).toString("hex")}.part`
  try {
    writeFileSync(part, bytes, { flag: "wx", mode, flush: true })
    renameSync(part, path)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}
