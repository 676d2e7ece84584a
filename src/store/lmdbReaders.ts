import type { RootDatabase } from "lmdb"

/**
 * Returns LMDB's table of readers as text: process, thread, and the number of the commit that each reads, or `-`. The types of lmdb do not
 * declare it.
 */
export function readerList(root: RootDatabase): string {
  return (root as RootDatabase & { readerList(): string }).readerList()
}

/** Returns the number of the latest commit that a process reads, from LMDB's table of readers; `undefined` if it reads none. */
export function lastReadOf(pid: number, list: string): number | undefined {
  let last: number | undefined
  for (const line of list.split("\n")) {
    const [reader, , commit] = line.trim().split(/\s+/)
    if (Number(reader) === pid && commit !== "-") last = Math.max(last ?? 0, Number(commit))
  }
  return last
}
