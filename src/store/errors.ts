import { Invalid, refusals } from "../core/lib/invalid.js"

/** Errors of opening and writing a store. Their data has the directory and the facts that were found there. */
export const storeError = refusals({
  "store.missing": "there is no store in this directory",
  "store.foreign": "the directory holds something that is not a store of this program",
  "store.link": "the store's directory must be a directory of plain files, and holds a link or a special file; name the real one",
  "store.dangling": "the store's directory does not exist: a symbolic link in its path points to nothing",
  "store.newer":
    "the store was made by a newer version of this program: use that version, or export the blocks with it and replay them into a new directory, or sync again",
  "store.older":
    "the store was made by an older version of this program: stop all that use it and run `serac upgrade` with its --data-dir, which makes the chain again from its blocks, in the same directory",
  "store.too_old":
    "the store was made by a version of this program that is too old for `serac upgrade`: export the blocks with that version (`serac export blocks`) and replay them into a new directory (`serac replay`), or sync again. If the first line of that file does not begin with `chain`, the replay needs the flags of the chain: its rules, such as --upgrade helicon, and --kind private for a private chain",
  "store.outdated":
    "the rows for queries in the store were made by another version of this program; `serac serve` makes them again, as does every command that may write to its directory",
  "store.other_network": "the store belongs to another network",
  "store.locked": "a process has the store open",
  "store.same_pid":
    "a process in another container has the store open under the same process ID as this process, and LMDB cannot distinguish them; run this one under another process ID",
  "store.shared_volume":
    "the directory is on a volume that other machines may write to, and no lock excludes them: use a local disk, or pass --shared-volume if only one process ever uses it",
  "store.unsuitable_volume":
    "LMDB cannot lock files on this volume, or cannot map them into memory: use a local disk, with a file system such as ext4 or xfs",
  "store.replaced":
    "the store's directory, its data or its lock was removed or exchanged while it was open: nothing more is written; stop this process",
  "store.damaged": "the data file is damaged, or LMDB did not write it: restore a backup, or replay or sync the chain again",
  "store.not_flushed":
    "the machine stopped or the disk failed before a replay had flushed this store, so parts of it may be missing: remove the directory, and replay the chain again",
  "store.half_repaired": "a repair of the store was interrupted: run `serac repair` again",
  "store.not_readable": "this user may not read the store's directory, or not the data file in it",
  "store.not_writable": "the store's directory cannot be written",
  "store.disk_full": "the disk has no room left; all earlier commits are stored, and writing resumes when there is room",
  "store.file_limit":
    "the data file has reached the largest size that the system allows this process (ulimit -f); all earlier commits are stored",
  "store.read_only_disk": "the disk is read-only; all earlier commits are stored, and writing resumes when it can be written",
  "store.io_error": "the disk failed to read or write; all earlier commits are stored, and writing is tried again",
  "store.write_failed":
    "LMDB failed to write a page and overwrote memory of this process while it reported that: this process writes nothing more; `serac` starts itself again in a new one",
  "store.full": "the store has reached its largest size; all earlier commits are stored",
  "store.too_much":
    "a commit changes more pages than the store can write at once; nothing of it was written, and all earlier commits are stored",
  "store.too_many_open": "this process has too many files or stores open; close some, or raise its limits (ulimit -n, ulimit -v)",
  "store.busy":
    "a whole state is being loaded into the store, and nothing else can be written meanwhile: ask again when it is there",
  "store.unknown_snapshot": "no snapshot has this number",
  "store.backup_exists": "the directory for the backup is not empty",
})

/** Refusals of a store that are caused by the call, and not by a failure to write. */
const CALLERS: readonly string[] = ["store.unknown_snapshot", "store.backup_exists", "store.busy"]

/** The failure after which the memory of this process cannot be trusted. */
const WRITE_FAILED = "store.write_failed"

/** Returns whether an error says that a store could not write, while reads continue. After `store.write_failed` the process must end. */
export function isStoreFailure(error: unknown): error is Invalid {
  return error instanceof Invalid && error.code.startsWith("store.") && ![...CALLERS, WRITE_FAILED].includes(error.code)
}

/**
 * Returns whether the store refuses all further writes after a failure, because its files or the memory of this process can no longer be
 * trusted.
 */
export function isFinalFailure(error: unknown): error is Invalid {
  return error instanceof Invalid && ["store.replaced", WRITE_FAILED].includes(error.code)
}

/** Returns whether an error says that something is not allowed, and not that the store failed or Serac is wrong. */
export function isRefusal(error: unknown): error is Invalid {
  return error instanceof Invalid && !isStoreFailure(error) && !isFinalFailure(error)
}
