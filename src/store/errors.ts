import { refusals } from "../core/lib/invalid.js"

/** Why a store cannot be opened or written. Data: the directory, and what was found there. */
export const storeError = refusals({
  "store.missing": "there is no store in this directory",
  "store.foreign": "the directory holds something that is not a store of this program",
  "store.link": "the store's directory must be a directory of plain files, and holds a link or a special file; name the real one",
  "store.newer": "the store was made by a newer version of this program",
  "store.older": "the store was made by an older version of this program and cannot be read by this one",
  "store.outdated":
    "the store was made by an older version of this program; once this one has opened it to write, it can be read",
  "store.other_network": "the store belongs to another network",
  "store.locked": "a process has the store open",
  "store.not_writable": "the store's directory cannot be written",
  "store.disk_full": "the disk has no room left, or cannot be written; all that was committed before is kept",
  "store.full": "the store has reached the largest size it may have; all that was committed before is kept",
  "store.too_much":
    "a commit changes more pages than the store can write at once; nothing of it was written, and all before is kept",
  "store.too_many_open": "this process has too many files or stores open; close some, or raise its limits (ulimit -n, ulimit -v)",
  "store.unknown_snapshot": "no snapshot has this number",
  "store.backup_exists": "the directory for the backup is not empty",
})
