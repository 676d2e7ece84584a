import type { AnyTable } from "../../core/state/table.js"
import { nodeError } from "../../datadir/errors.js"
import { carriedTables, nodeTables, sourceTables, tablesBesideChain } from "../../datadir/nodeTables.js"
import { chainDir, forkDir } from "../../datadir/places.js"
import {
  baseOfFork,
  type ForkRecord,
  forkRecordIn,
  inheritedMeta,
  ownTablesOf,
  withOverlay,
} from "../../sources/fork/forkBase.js"
import type { OverlayStore } from "../../store/overlay/overlayStore.js"
import type { Store, StoreTables } from "../../store/store.js"

/** A store of a data directory that is made again. */
export interface UpgradePlace {
  readonly dir: string
  /** The tables that are read, and those that the new store has. */
  readonly older: StoreTables
  readonly newer: StoreTables
  /** True if the new store is checked as a whole. The rows of a fork are not a whole chain. */
  readonly isChecked: boolean
  /** Returns the chain of a store: a fork is the rows of the store over those of the chain below it. */
  chainOf(own: Store): Promise<Store>
  /** Returns the chain of the new store, which may be empty. */
  newChainOf(own: Store, older: Store): Promise<Store>
}

const readTables: readonly AnyTable[] = [...new Set([...sourceTables, ...carriedTables])].filter(
  (table) => !tablesBesideChain.includes(table),
)

/** The store of a chain of its own. */
export const chainPlace = (dataDir: string): UpgradePlace => ({
  dir: chainDir(dataDir),
  older: { tables: readTables, tablesBesideChain },
  newer: { tables: nodeTables, tablesBesideChain },
  isChecked: true,
  chainOf: async (own) => own,
  newChainOf: async (own) => own,
})

/** The store of a fork's own rows. The chain below it must be one of this version. */
export function forkPlace(dataDir: string): UpgradePlace {
  const over = (own: Store, record: ForkRecord | undefined, use: (store: OverlayStore, base: Store) => void = () => {}) =>
    withOverlay(
      own,
      async () => {
        if (!record) throw nodeError("node.no_chain", { dir: dataDir })
        return baseOfFork(dataDir, record)
      },
      (store, base) => {
        use(store, base.store)
        return store
      },
    )
  return {
    dir: forkDir(dataDir),
    older: ownTablesOf(readTables),
    newer: ownTablesOf(nodeTables),
    isChecked: false,
    chainOf: (own) => over(own, forkRecordIn(own)),
    newChainOf: (own, older) =>
      over(own, forkRecordIn(older), (store, base) => {
        const [identity, fork] = [older.getMeta("identity"), older.getMeta("fork")]
        if (!forkRecordIn(store)) store.returnToBase({ ...inheritedMeta(base), identity, fork })
      }),
  }
}
