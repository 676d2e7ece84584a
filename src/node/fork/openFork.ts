import { join } from "node:path"
import type { Log } from "../../core/lib/log.js"
import type { ForkPoint } from "../../producer/options.js"
import { MemoryStore } from "../../store/memoryStore.js"
import type { Meta } from "../../store/meta.js"
import { OverlayStore } from "../../store/overlay/overlayStore.js"
import { overlayTablesOf } from "../../store/overlay/overlayTables.js"
import type { Store } from "../../store/store.js"
import { nodeTables, tablesBesideChain } from "../nodeTables.js"
import { openStore } from "../openStore.js"
import type { ForkBase } from "./forkBase.js"
import { checkForkRecord, forkRecordOf, printForkRecord, readForkRecord } from "./forkRecord.js"

/** Options of opening a fork. */
export interface OpenFork {
  /** The data directory of the fork; `undefined`: it is kept in memory. */
  readonly dataDir: string | undefined
  /** Begins a new fork in the place of the one that the directory holds. */
  readonly resets: boolean
  readonly allowsSharedVolume?: boolean | undefined
  readonly log: Log
}

/** A fork that was opened. */
export interface OpenedFork {
  readonly store: Store
  readonly point: ForkPoint
  /** Whether the fork was made just now, and not kept from before. */
  readonly isNew: boolean
}

/** Returns the directory of the rows of a fork in its data directory. */
const forkDir = (dataDir: string): string => join(dataDir, "fork")

const overlayTables = overlayTablesOf(nodeTables)

/** Opens the rows of a fork over the chain below it. Throws `store.*`, `node.other_fork`, `node.fork_changed`; the base is then closed. */
export async function openFork(base: ForkBase, options: OpenFork): Promise<OpenedFork> {
  const own = await openOwn(base, options)
  const store = new OverlayStore({ base: base.store, own, overlayTables, tablesBesideChain })
  const isNew = own.getMeta("fork") === undefined || options.resets
  const { dir, height, blockID, timestamp } = base
  if (isNew)
    store.returnToBase({
      ...metaOf(base.store),
      clockOffset: undefined,
      producer: undefined,
      fork: printForkRecord(forkRecordOf(base)),
    })
  return { store, isNew, point: { dir, height, blockID, timestamp, restore: (meta) => store.returnToBase(meta) } }
}

async function openOwn(base: ForkBase, { dataDir, resets, allowsSharedVolume, log }: OpenFork): Promise<Store> {
  const tables = { tables: [...overlayTables.values()], tablesBesideChain }
  if (dataDir === undefined) return new MemoryStore(tables)
  let own: Store | undefined
  try {
    own = openStore(forkDir(dataDir), { ...tables, log, allowsSharedVolume })
    const kept = own.getMeta("fork")
    if (kept !== undefined && !resets) checkForkRecord(readForkRecord(kept), forkRecordOf(base))
    return own
  } catch (error) {
    await own?.close()
    await base.store.close()
    throw error
  }
}

/** The small values that a fork has from the chain below it. */
const INHERITED: readonly (keyof Meta)[] = [
  "networkID",
  "genesis",
  "genesisID",
  "provenGenesis",
  "unprovenGenesis",
  "rules",
  "upgrades",
  "readModel",
]

function metaOf(store: Store): Partial<Meta> {
  return Object.fromEntries(INHERITED.map((name) => [name, store.getMeta(name)]))
}
