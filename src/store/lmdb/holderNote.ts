import { randomBytes } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import { parseJson } from "../../core/lib/parseJson.js"
import { OWNER_FILE } from "../../files/ownerOnly.js"
import { type StoreFiles, writeNewFile } from "./storeFiles.js"

/** Name of the note about the process that has a store open. People read it, and so does the next process. */
export const LOCK_FILE = "serac.lock"

/** Returns a new path for a file that is removed or renamed soon. `ending` is one of those that `removeLeftovers` knows. */
export const newPath = (dir: string, ending: "new" | "probe"): string =>
  join(dir, `${LOCK_FILE}.${randomBytes(6).toString("hex")}.${ending}`)

/** The process that has a store open. */
export interface Holder {
  readonly pid: number
  /** The start of the process in ticks since the boot, which distinguishes it from an earlier process with the same number. */
  readonly started?: string | undefined
  readonly boot?: string | undefined
  /** The data file that the process has open. A note that was copied together with its store names another file. */
  readonly file: string
  /** The machine or container, for people. */
  readonly host?: string
  /** True if the data file is flushed to the disk only when the process closes it. */
  readonly isUnflushed?: boolean
  /** A random text that distinguishes this note from every other. */
  readonly nonce?: string
}

/** Describes this process for the note. */
export function holderOf(file: string, isUnflushed: boolean): Holder {
  const { pid } = process
  const nonce = randomBytes(8).toString("hex")
  return { pid, started: processOf(pid)?.started, boot: bootOf(), file, host: hostname(), isUnflushed, nonce }
}

/** Reads the note in a directory; `undefined` if there is none, or one that cannot be read. */
export function readNote(dir: string): Holder | undefined {
  try {
    const holder = parseJson(readFileSync(join(dir, LOCK_FILE), "utf8")) as unknown as Holder | null
    return typeof holder?.pid === "number" ? holder : undefined
  } catch {
    return undefined
  }
}

/** Writes the note atomically: after a kill the old or the new one is there. */
export function writeNote(dir: string, holder: Holder, files: StoreFiles): void {
  const part = join(dir, `${LOCK_FILE}.${holder.nonce}.new`)
  writeNewFile(files, part, Buffer.from(JSON.stringify(holder)), OWNER_FILE)
  files.rename(part, join(dir, LOCK_FILE))
}

/** Removes the note if this holder wrote it. The note of another process stays, and a missing directory is no error. */
export function removeNote(dir: string, { nonce }: Holder, files: StoreFiles): void {
  if (readNote(dir)?.nonce !== nonce) return
  try {
    files.remove(join(dir, LOCK_FILE))
  } catch {
    // A remaining note says nothing about a process that has ended.
  }
}

export function isOwnNote({ pid, started, boot }: Holder): boolean {
  return pid === process.pid && boot === bootOf() && started === processOf(pid)?.started
}

/**
 * Returns whether the process that wrote a note is visible and alive. A process in another container is not visible; only the lock shows
 * whether it is alive.
 */
export function isSeenAlive({ pid, started, boot }: Holder): boolean {
  if (boot !== bootOf()) return false
  const found = processOf(pid)
  if (found) return !found.isZombie && found.started === started
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === "EPERM"
  }
}

/** Reads the start and state of a process; `undefined` if there is no such process, or on other systems than Linux. */
function processOf(pid: number): { started: string; isZombie: boolean } | undefined {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return undefined
  try {
    const text = readFileSync(path, "latin1")
    // The second field is the command, which may contain spaces and brackets, so fields are counted from the last bracket.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return { started: fields[19] as string, isZombie: fields[0] === "Z" || fields[0] === "X" }
  } catch {
    return undefined
  }
}

/** Returns the ID of this start of the machine; `undefined` on other systems than Linux. */
export function bootOf(): string | undefined {
  const path = "/proc/sys/kernel/random/boot_id"
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined
}
