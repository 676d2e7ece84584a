import { openLmdbStore } from "../store/openLmdbStore.js"
import type { Store } from "../store/store.js"
import { lastingTables, nodeTables } from "./nodeTables.js"

/** How a store on the disk is opened. */
export interface OpenStore {
  /** Beside a process that writes, and without writing. */
  readonly readOnly?: boolean
  readonly mustExist?: boolean
  /** See `LmdbOptions`. */
  readonly isLazy?: boolean
}

/** Opens the store of a chain with all tables that this version knows. Throws `store.*`. */
export function openStore(dir: string, options: OpenStore = {}): Store {
  return openLmdbStore({ dir, tables: nodeTables, lasting: lastingTables, ...options })
}
