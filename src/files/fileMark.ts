import { statSync } from "node:fs"

/**
 * Returns a text that changes with every change of a file; `undefined` if there is none. The system sets `ctime` at each change, and no
 * program can set it back.
 */
export function fileMark(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(" ")
}
