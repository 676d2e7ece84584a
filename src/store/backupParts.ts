import { randomBytes } from "node:crypto"
import { readdirSync, rmSync, statSync } from "node:fs"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import { makeOwnerDirectory } from "../files/ownerOnly.js"
import { holderOf, isSeenAlive, LOCK_FILE, readNote, writeNote } from "./holderNote.js"
import type { StoreFiles } from "./storeFiles.js"

/** Milliseconds after which a part of a process that cannot be seen from here counts as left over. */
const STALE_AFTER = 86_400_000

/** Makes the directory beside the wanted one in which a backup is written until it is whole, with a note of the process that does so. */
export function makePart(dir: string, files: StoreFiles): string {
  const part = `${dir}.${randomBytes(6).toString("hex")}.part`
  makeOwnerDirectory(part)
  writeNote(part, holderOf(""), files)
  return part
}

/** Removes the note of a part that is whole. */
export function removePartNote(part: string, files: StoreFiles): void {
  files.remove(join(part, LOCK_FILE))
}

/** Removes what backups to this place have left that were killed. */
export function removeStaleParts(dir: string): void {
  for (const part of stalePartsOf(dir)) rmSync(part, { recursive: true, force: true })
}

/** The directories that backups to this place have left that were killed. */
export function stalePartsOf(dir: string): readonly string[] {
  const prefix = `${basename(dir)}.`
  const isPart = (name: string) => name.startsWith(prefix) && /^[0-9a-f]{12}\.part$/.test(name.slice(prefix.length))
  const parts = namesIn(dirname(dir)).filter(isPart)
  return parts.map((name) => join(dirname(dir), name)).filter(isStale)
}

/** Whether the process that made a part has ended. One on another machine is not seen: its part counts after a day. */
function isStale(part: string): boolean {
  const note = readNote(part)
  if (note?.host === hostname()) return !isSeenAlive(note)
  return Date.now() - (statSync(part, { throwIfNoEntry: false })?.mtimeMs ?? 0) > STALE_AFTER
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir)
  } catch {
    return []
  }
}
