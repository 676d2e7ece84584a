import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { blockAt } from "../../core/blocks/acceptedBlocks.js"
import { printJson } from "../../core/lib/json.js"
import { parseJson } from "../../core/lib/parseJson.js"
import { chainTimeOf } from "../../core/rules/context.js"
import type { AnyTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import { type ID, idText } from "../../core/types/id.js"
import { nodeError } from "../../datadir/errors.js"
import { nodeTables, tablesBesideChain } from "../../datadir/nodeTables.js"
import { type OpenStore, openStore } from "../../datadir/openStore.js"
import { chainDir, forkDir, holdsFork, ownBaseDir } from "../../datadir/places.js"
import { hostedTables } from "../../producer/tables.js"
import { isOpenForWriting } from "../../store/lmdb/lock.js"
import type { Meta } from "../../store/meta.js"
import { OverlayStore } from "../../store/overlay/overlayStore.js"
import { overlayTablesOf } from "../../store/overlay/overlayView.js"
import type { Store } from "../../store/store.js"

export interface ForkBase {
  readonly store: Store
  readonly networkID: number
  readonly height: bigint
  readonly blockID: ID
  /** The chain's time, Unix seconds. */
  readonly timestamp: bigint
}

/** The tables of a fork's own rows. A fork hosts chains of its own, and not those of the node below it. */
const tablesAbove: readonly AnyTable[] = Object.values(hostedTables)
const overlayTables = overlayTablesOf(nodeTables.filter((table) => !tablesAbove.includes(table)))

/** Returns the tables of the own rows of a fork over a chain of which these tables are used. */
export const ownTablesOf = (used: readonly AnyTable[]) => ({
  tables: [
    ...[...overlayTables].filter(([below]) => below.isIndex || used.includes(below)).map(([, own]) => own),
    ...tablesAbove.filter((table) => used.includes(table)),
  ],
  tablesBesideChain,
})
export const ownTables = ownTablesOf(nodeTables)

/**
 * Opens the chain in a data directory for reading. Throws `store.*` if there is none, `node.no_chain` if it is empty, `node.fork_busy` if a
 * process writes to it, and `node.fork_changed` if it is not the chain of the record any more.
 */
export async function openForkBase(dataDir: string, record?: ForkRecord): Promise<ForkBase> {
  const dir = resolve(dataDir)
  const place = existsSync(join(dir, "data.mdb")) ? dir : chainDir(dir)
  const store = openStore(place, { readOnly: true })
  try {
    if (isOpenForWriting(place)) throw nodeError("node.fork_busy", { dir })
    const base = forkBaseOf(store, dir)
    const isSame = !record || (record.height === base.height.toString() && record.blockID === idText(base.blockID))
    if (isSame) return base
    throw nodeError("node.fork_changed", { ...record, found: { height: base.height, blockID: idText(base.blockID) } })
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Opens the chain below the fork in a data directory: the one that was made for it, or the one that its record names. */
export function baseOfFork(dataDir: string | undefined, record: ForkRecord): Promise<ForkBase> {
  const hasOwn = dataDir !== undefined && existsSync(ownBaseDir(dataDir))
  return openForkBase(hasOwn ? ownBaseDir(dataDir) : record.from, record)
}

/** Opens the chain below a fork, and passes it on with the rows of the fork over it. Both stores are closed if that fails. */
export async function withOverlay<B extends ForkBase, T>(
  own: Store,
  open: () => Promise<B>,
  use: (store: OverlayStore, base: B) => T,
): Promise<T> {
  let base: B | undefined
  try {
    base = await open()
    return use(new OverlayStore({ base: base.store, own, overlayTables, tablesAbove, tablesBesideChain }), base)
  } catch (error) {
    await base?.store.close()
    await own.close()
    throw error
  }
}

/** Opens the fork in a data directory over the chain below it. Throws `store.*`, `node.fork_busy` and `node.fork_changed`. */
export async function openForkToRead(dataDir: string, options: OpenStore): Promise<Store> {
  const own = openStore(forkDir(dataDir), { ...ownTables, mustExist: true, ...options })
  const open = async () => {
    const record = forkRecordIn(own)
    if (!record) throw nodeError("node.no_chain", { dir: dataDir })
    return baseOfFork(dataDir, record)
  }
  return withOverlay(own, open, (store) => store)
}

/** Opens the chain in a data directory for reading, also while another process writes; a fork with the chain below it. Throws `store.*`. */
export async function openToRead(dataDir: string, log?: OpenStore["log"]): Promise<Store> {
  const options = { readOnly: true, log }
  return holdsFork(dataDir) ? openForkToRead(dataDir, options) : openStore(chainDir(dataDir), options)
}

/** Returns the chain of a store as the base of a fork. Throws `node.no_chain`. */
export function forkBaseOf(store: Store, dir: string): ForkBase {
  const last = store.latest.get(tables.lastAccepted, null)
  const networkID = store.getMeta("networkID")
  if (!last || networkID === undefined) throw nodeError("node.no_chain", { dir })
  return { store, networkID, height: last.height, blockID: last.id, timestamp: chainTimeOf(store.latest) }
}

/** Throws `node.future_height` if the chain has no block of a height, and `node.fork_at_proposal` if the block is a proposal. */
export function checkForkHeight({ store, height }: ForkBase, asked: bigint): void {
  if (asked > height) throw nodeError("node.future_height", { asked, height })
  if (asked > 0n && blockAt(store.latest, asked)?.kind.endsWith("ProposalBlock")) {
    throw nodeError("node.fork_at_proposal", { height: asked })
  }
}

/** The chain that was forked, as the fork's store records it. */
export interface ForkRecord {
  /** Its directory, or the URL from which it was copied. */
  readonly from: string
  /** The last block before the fork: the height in decimal digits, and the ID. */
  readonly height: string
  readonly blockID: string
}

export const forkRecordText = (from: string, { height, blockID }: ForkBase): string =>
  printJson({ from, height: height.toString(), blockID: idText(blockID) })

/** Returns the record of a fork's store; `undefined` if the store is new. */
export function forkRecordIn(store: Store): ForkRecord | undefined {
  const text = store.getMeta("fork")
  return text === undefined ? undefined : (parseJson(text) as unknown as ForkRecord)
}

/** Throws `node.other_fork` if the fork belongs to another chain or height than the requested one. */
export function checkSameFork(record: ForkRecord, from: string | undefined, height: bigint | undefined): void {
  if (from !== undefined && from !== record.from) throw nodeError("node.other_fork", { expected: record.from, got: from })
  if (height !== undefined && height.toString() !== record.height) {
    throw nodeError("node.other_fork", { from: record.from, expected: record.height, got: height })
  }
}

const INHERITED: readonly (keyof Meta)[] = [
  "networkID",
  "identity",
  "genesis",
  "genesisID",
  "genesisFacts",
  "provenGenesis",
  "unprovenGenesis",
  "rules",
  "upgrades",
  "readModel",
]

/** Returns the meta values that a fork inherits from the chain below it. */
export function inheritedMeta(store: Store): Partial<Meta> {
  return Object.fromEntries(INHERITED.map((name) => [name, store.getMeta(name)]))
}
