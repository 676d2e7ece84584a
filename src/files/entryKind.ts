import { lstatSync, type Stats } from "node:fs"

/** The kind of a directory's entry. A symbolic link is a link whatever its target; a file with several names is a hard link. */
export type EntryKind = "file" | "directory" | "link" | "hard link" | "special file"

/** Returns the kind of entry at a path without following a link there; `undefined` if there is none. */
export function entryKind(path: string): EntryKind | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found && kindOf(found)
}

function kindOf(found: Stats): EntryKind {
  if (found.isSymbolicLink()) return "link"
  if (found.isFile()) return found.nlink > 1 ? "hard link" : "file"
  return found.isDirectory() ? "directory" : "special file"
}
