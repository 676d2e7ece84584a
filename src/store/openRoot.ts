import type { RootDatabase } from "lmdb"
import { load } from "../core/crypto/load.js"
import type { RootOptions } from "./rootOptions.js"

/**
 * The number of free pages that LMDB keeps between commits, and reads at once. It checks all of them at every commit, in time that grows
 * with their square: with its own limit of 75,000 a block takes a tenth of a second after a replay, with this one half a millisecond.
 */
const MAX_FREE_PAGES = 2000

/** Opens the LMDB environment of a store. */
export function openRoot({ dir, readOnly = false, isLazy = false, maxDatabases, maxBytes }: RootOptions): RootDatabase {
  return load<typeof import("lmdb")>("lmdb").open({
    path: dir,
    // Otherwise a directory with a dot in its name would be taken for a file.
    noSubdir: false,
    readOnly,
    maxDbs: maxDatabases,
    // Each open snapshot needs one.
    maxReaders: 1024,
    mapSize: maxBytes,
    // A commit is on the disk when it returns, unless the store is lazy.
    overlappingSync: isLazy,
    // Its types do not declare these.
    ...{ maxFreeSpaceToLoad: MAX_FREE_PAGES, maxFreeSpaceToRetain: MAX_FREE_PAGES },
    encoding: "binary",
    keyEncoding: "binary",
  })
}
