import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { storeError } from "./errors.js"

/** Names the process that has a store open. */
export const LOCK_FILE = "serac.lock"

interface Holder {
  readonly pid: number
  /** When the process started, in ticks since the boot named: a number that was given anew tells itself by it. */
  readonly started?: string | undefined
  readonly boot?: string | undefined
  /** Which file it has open: the lock of a store that was copied as a whole says nothing about the copy. */
  readonly file: string
}

/**
 * Takes the store for this process; what it returns gives it back. A lock that a dead process left is taken over.
 * `exclusively` lets one process at a time look and take. Throws `store.locked` with the other's number.
 */
export function takeLock(dir: string, dataFile: string, exclusively: (action: () => void) => void): () => void {
  const path = join(dir, LOCK_FILE)
  const { dev, ino } = statSync(dataFile)
  const own: Holder = { pid: process.pid, started: processOf(process.pid)?.started, boot: bootOf(), file: `${dev}:${ino}` }
  exclusively(() => {
    const holder = holderOf(path)
    if (holder && holder.file === own.file && isAlive(holder)) throw storeError("store.locked", { dir, pid: holder.pid })
    // Renamed into place, so that a kill between the two leaves the old lock or the new one, never half of one.
    writeFileSync(`${path}.new`, JSON.stringify(own))
    renameSync(`${path}.new`, path)
  })
  return () => rmSync(path, { force: true })
}

function holderOf(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, "utf8"))
    return typeof holder?.pid === "number" ? holder : undefined
  } catch {
    return undefined
  }
}

function isAlive({ pid, started, boot }: Holder): boolean {
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

/** What Linux knows of a process; nothing where there is none, or where this is not Linux. */
function processOf(pid: number): { started: string; isZombie: boolean } | undefined {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return undefined
  try {
    const text = readFileSync(path, "latin1")
    // The second field is the command, which may hold blanks and brackets: count from the last one.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return { started: fields[19] as string, isZombie: fields[0] === "Z" || fields[0] === "X" }
  } catch {
    return undefined
  }
}

function bootOf(): string | undefined {
  const path = "/proc/sys/kernel/random/boot_id"
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined
}
