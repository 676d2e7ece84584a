import type { Log } from "../core/lib/log.js"
import { type LmdbOptions, openLmdbStore } from "../store/lmdb/openLmdbStore.js"
import { stalePartsOf } from "../store/maintenance/backupParts.js"
import type { Store, StoreTables } from "../store/store.js"
import { nodeTables, tablesBesideChain } from "./nodeTables.js"

export interface OpenStore
  extends StoreTables,
    Pick<LmdbOptions, "readOnly" | "mustExist" | "isRepair" | "isUpgrade" | "isLazy" | "allowsSharedVolume"> {
  /** Logs that all rows of a large store are read first, because it was not closed properly. */
  readonly log?: Pick<Log, "info" | "warn"> | undefined
}

/** Opens the store of a chain, by default with all tables that this version knows. Throws `store.*`. */
export function openStore(dir: string, { log, ...options }: OpenStore = {}): Store {
  const onCheck = () => log?.info("the store was not closed properly, or was changed since: all its rows are read first", { dir })
  for (const part of log && !options.readOnly ? stalePartsOf(dir) : []) {
    log?.warn("a backup to this place was killed and has left this directory, which the next backup to it removes", { part })
  }
  return openLmdbStore({ dir, tables: nodeTables, tablesBesideChain, onCheck, ...options })
}
