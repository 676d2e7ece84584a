import { existsSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { encode } from "../../core/codec/decode.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { Invalid } from "../../core/lib/invalid.js"
import { printJson } from "../../core/lib/json.js"
import { wholeSeconds } from "../../core/lib/wholeSeconds.js"
import { isProduction } from "../../core/networks/names.js"
import type { AnyPrimaryTable } from "../../core/state/table.js"
import { heightOf, tables } from "../../core/state/tables.js"
import type { Edit, View } from "../../core/state/view.js"
import { type ID, idText } from "../../core/types/id.js"
import { CopiedOverrides } from "../../datadir/copiedOverrides.js"
import { nodeError } from "../../datadir/errors.js"
import { keepGenesisFile } from "../../datadir/genesis/storedGenesis.js"
import { carriedTables } from "../../datadir/nodeTables.js"
import { openStore } from "../../datadir/openStore.js"
import { holdsFork, ownBaseDir } from "../../datadir/places.js"
import { copyHeaderOf, isMadeByOneNode } from "../../datadir/storedIdentity.js"
import { earlierFolders, hostingFolder } from "../../hosting/chainRecord.js"
import { devTables } from "../../producer/tables.js"
import { DATA_FILE } from "../../store/lmdb/directory.js"
import { ReplaceableStore } from "../../store/lmdb/replaceableStore.js"
import { SCHEMA } from "../../store/meta.js"
import type { Store } from "../../store/store.js"
import type { RawEntry } from "../../sync/blockEntry.js"
import { replay } from "../../sync/replay.js"
import { chainToReplay } from "../chainToReplay.js"
import { type ChainCheck, checkInWorker } from "../check/checkChain.js"
import { blockLines } from "../export/blockLines.js"
import { chainPlace, forkPlace, type UpgradePlace } from "./upgradePlace.js"

export interface UpgradeOptions {
  readonly dataDir: string
  readonly history: "on" | "off"
  readonly allowsSharedVolume: boolean
  /** Returns the machine's clock, Unix milliseconds. */
  now(): number
  /** Returns true when the upgrade should stop. It continues there the next time. */
  isStopped(): boolean
  /** Called before anything is written. */
  onNeed(need: UpgradeNeed): void
  /** Called when a part of the work begins, see `ChainCheck`. */
  readonly begin: ChainCheck["begin"]
}

/** What the upgrade of a store needs. */
export interface UpgradeNeed {
  readonly dir: string
  readonly schema: number
  readonly height: bigint
  /** The bytes that the new data file needs at most beside the old one, and those that are free. */
  readonly needed: number
  readonly free: number
}

export interface Upgraded {
  /** The schemas of the stores that were made again. */
  readonly schemas: readonly number[]
  /** The schema that they have now. */
  readonly schema: number
  readonly height: bigint
  readonly blockID: ID
}

/**
 * Makes the stores of a data directory again if an older version made them: it executes their blocks, with the overrides of a private chain, in a new
 * store beside each, checks it, and puts it into the place of the old one with one rename. What blocks do not determine is copied. After a kill
 * the next call continues. Throws `store.*`, `node.*`, and `sync.stopped`; the directory is then as it was.
 */
export async function upgradeChain(options: UpgradeOptions): Promise<Upgraded> {
  const { dataDir } = options
  const l1s = earlierFolders(hostingFolder(dataDir))
  if (l1s.length > 0) throw nodeError("node.older_l1s", { folder: hostingFolder(dataDir), l1s: l1s.join(", ") })
  if (!holdsFork(dataDir)) return upgradeStore(chainPlace(dataDir), options)
  const base = ownBaseDir(dataDir)
  const below = existsSync(base) ? (await upgradeStore(chainPlace(base), options)).schemas : []
  const own = await upgradeStore(forkPlace(dataDir), options)
  return { ...own, schemas: [...below, ...own.schemas] }
}

/** The directory of the new store until it takes the place of the old one. */
const partOf = (dir: string): string => `${dir}.upgrade`

async function upgradeStore(place: UpgradePlace, options: UpgradeOptions): Promise<Upgraded> {
  const { dir } = place
  const part = partOf(dir)
  const held = new ReplaceableStore({ dir, ...place.older })
  try {
    const schema = held.store.getMeta("schema") ?? SCHEMA
    const older = await place.chainOf(held.store)
    try {
      const { height, id } = lastOf(older.latest, dir)
      if (schema === SCHEMA) {
        rmSync(part, { recursive: true, force: true })
        return { schemas: [], schema: SCHEMA, height, blockID: id }
      }
      options.onNeed(requireRoom(held, place, { schema, height }))
      await make(place, older, options)
      if (place.isChecked) await checkInWorker(part, options)
      await older.close()
      await held.replaceBy(part)
      return { schemas: [schema], schema: SCHEMA, height, blockID: id }
    } finally {
      await older.close()
    }
  } finally {
    await held.release()
  }
}

/** Throws `node.no_chain`. */
function lastOf(view: View, dir: string) {
  const last = view.get(tables.lastAccepted, null)
  if (!last) throw nodeError("node.no_chain", { dir })
  return last
}

/** How much larger a data file may become that is made again, and the bytes of the pages of its tables. */
const [GROWTH, LEAST_BYTES] = [2, 4 << 20]

/** Throws `node.upgrade_room`. */
function requireRoom(held: ReplaceableStore, { dir }: UpgradePlace, found: Pick<UpgradeNeed, "schema" | "height">): UpgradeNeed {
  const written = statSync(join(partOf(dir), DATA_FILE), { throwIfNoEntry: false })?.size ?? 0
  const needed = Math.max(0, Math.ceil(GROWTH * held.store.statistics().bytes) + LEAST_BYTES - written)
  const free = held.freeBytes()
  if (free < needed) throw nodeError("node.upgrade_room", { dir, needed, free })
  return { dir, needed, free, ...found }
}

/** Makes the chain again in the directory beside it, or continues that. */
async function make(place: UpgradePlace, older: Store, options: UpgradeOptions): Promise<void> {
  const target = await openPart(place, older, options)
  try {
    if (older.getMeta("unprovenGenesis") === undefined) target.putMeta({ provenGenesis: older.getMeta("provenGenesis") })
    await executeAgain(older, target, options)
    for (const table of carriedTables as readonly AnyPrimaryTable[]) carry(table, older.latest, target)
    keepGenesisFile(target, older)
    const [clockOffset, producer] = [older.getMeta("clockOffset"), older.getMeta("producer")]
    target.putMeta({ clockOffset, producer, removedBlocks: older.getMeta("removedBlocks") })
  } finally {
    await target.close()
  }
}

/** Opens what an interrupted upgrade has made. If it is damaged, or of a chain that has gone another way since, a new store replaces it. */
async function openPart(place: UpgradePlace, older: Store, { allowsSharedVolume }: UpgradeOptions): Promise<Store> {
  const part = partOf(place.dir)
  const open = () => place.newChainOf(openStore(part, { ...place.newer, isLazy: true, allowsSharedVolume }), older)
  let kept: Store | undefined
  try {
    kept = await open()
  } catch (error) {
    if (!(error instanceof Invalid) || !existsSync(part) || !error.code.startsWith("store.")) throw error
  }
  if (kept && isPartOf(kept.latest, older.latest)) return kept
  await kept?.close()
  rmSync(part, { recursive: true, force: true })
  return open()
}

/** Returns whether a chain has the same blocks and overrides as another one, as far as it goes. */
function isPartOf(view: View, whole: View): boolean {
  const last = view.get(tables.lastAccepted, null)
  if (last && whole.get(tables.blockIDs, last.height) !== last.id) return false
  const { value } = devTables.overrides
  for (const [position, row] of view.rows(devTables.overrides)) {
    const other = whole.get(devTables.overrides, position)
    if (!other || !equalBytes(encode(value, row), encode(value, other))) return false
  }
  return true
}

/** Executes the blocks of a chain after the last one of another store there, with the overrides. They were verified when they were accepted. */
async function executeAgain(older: Store, target: Store, { history, now, isStopped, begin }: UpgradeOptions): Promise<void> {
  const { kind, id, networkID, rules, upgrades } = copyHeaderOf(older)
  const overrides = new CopiedOverrides(target)
  const outer = await chainToReplay(target, {
    networkID,
    ruleFlags: rules,
    upgrades: isProduction(networkID) ? undefined : printJson(upgrades),
    genesisBytes: older.getMeta("genesis"),
    genesisBlockID: older.getMeta("genesisID"),
    identity: { kind, id },
    now: wholeSeconds(now()),
    trustSignatures: true,
    overrides,
    history,
  })
  const [from, to] = [heightOf(target.latest), heightOf(older.latest)]
  const onBlock = begin({ unit: "blocks executed", total: Number(to - from) + 1 })
  await replay(entriesOf(blockLines(older.latest, older, { from, to })), outer, {
    applyOverride: (position, row) => overrides.apply(position, row),
    isPrivate: isMadeByOneNode(target),
    now,
    isStopped,
    onBlock,
  })
  const [made, due] = [target.latest, older.latest].map((view) => view.get(tables.lastAccepted, null)?.id)
  if (made !== due) throw new Error(`the upgrade ends at block ${made && idText(made)}, and the chain at ${due && idText(due)}`)
}

async function* entriesOf(lines: Iterable<string>): AsyncIterable<RawEntry> {
  let place = 0
  for (const text of lines) yield { text, place: ++place }
}

/** The number of rows that are written at a time. */
const PART_ROWS = 10_000

/** Gives a store the rows of a table that another one has. */
function carry(table: AnyPrimaryTable, from: View, target: Store): void {
  let rows = new Map<string, Edit>()
  const write = (least: number) => {
    if (rows.size < least) return
    target.commit(new Map([[table, rows]]))
    rows = new Map()
  }
  const add = (key: unknown, value: unknown) => {
    rows.set(table.key.toText(key), { value, isNew: false })
    write(PART_ROWS)
  }
  const view = target.view()
  for (const [key] of view.rows(table)) if (from.get(table, key) === undefined) add(key, undefined)
  view.release()
  for (const [key, value] of from.rows(table)) add(key, value)
  write(1)
}
