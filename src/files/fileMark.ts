import { type BigIntStats, statSync } from "node:fs"

/** The age below which the mark of a file is not certain, nanoseconds. Two changes within one tick of the system's clock have one time. */
const UNCERTAIN = 2_000_000_000n

/**
 * Returns a text that changes with every change of a file; `undefined` if there is none. The system sets `ctime` at each change, and no
 * program can set it back.
 */
export function fileMark(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && markOf(found)
}

/**
 * Returns the mark of a plain file that was last changed some time ago. If the file has an equal mark at a later time, its content is the
 * same. Returns `undefined` for other files, and for those that cannot be found. `now` is the system's clock, Unix milliseconds.
 */
export function certainFileMark(path: string, now: number = Date.now()): string | undefined {
  const found = foundAt(path)
  return found?.isFile() && found.ctimeNs + UNCERTAIN <= BigInt(Math.floor(now)) * 1_000_000n ? markOf(found) : undefined
}

function foundAt(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true })
  } catch {
    return undefined
  }
}

const markOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [ino, size, mtimeNs, ctimeNs].join(" ")
