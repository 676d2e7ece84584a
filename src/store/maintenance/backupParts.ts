import { randomBytes } from "node:crypto"
import { readdirSync, statSync } from "node:fs"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import { makeOwnerDirectory } from "../../files/ownerOnly.js"
import { holderOf, isSeenAlive, readNote, writeNote } from "../lmdb/holderNote.js"
import type { StoreFiles } from "../lmdb/storeFiles.js"

/** Milliseconds after which a partial backup of a process that is not visible here counts as abandoned. */
const STALE_AFTER = 86_400_000

/** Makes the directory beside the target in which a backup is written until it is complete, with a note of the writing process. */
export function makePart(dir: string, files: StoreFiles): string {
  const part = `${dir}.${randomBytes(6).toString("hex")}.part`
  makeOwnerDirectory(part)
  writeNote(part, holderOf("", false), files)
  return part
}

/** Returns the directories of killed backups to this target. */
export function stalePartsOf(dir: string): readonly string[] {
  const prefix = `${basename(dir)}.`
  const isPart = (name: string) => name.startsWith(prefix) && /^[0-9a-f]{12}\.part$/.test(name.slice(prefix.length))
  const parts = namesIn(dirname(dir)).filter(isPart)
  return parts.map((name) => join(dirname(dir), name)).filter(isStale)
}

/**
 * Returns whether the process that made a partial backup has ended. A process on another machine is not visible, so its backup counts as
 * abandoned after a day.
 */
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
