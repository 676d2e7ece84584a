import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Log } from "../core/lib/log.js"
import type { AnyTable } from "../core/state/table.js"
import { type Edit, type Edits, type IndexedView, valuesOf } from "../core/state/view.js"
import { type ID, idText } from "../core/types/id.js"
import { isMadeByOneNode, storedIdentity } from "../datadir/storedIdentity.js"
import { makeOwnerDirectory } from "../files/ownerOnly.js"
import { type HostedChainRow, hostedTables } from "../producer/tables.js"
import type { Store } from "../store/store.js"

/** What a node remembers of an L1 that it hosts: a row of the store. */
export type ChainRecord = HostedChainRow

/** The number of rows that are deleted in one commit. */
const PART_ROWS = 1000

export const recordsIn = (view: IndexedView): readonly ChainRecord[] => [...valuesOf(view.rows(hostedTables.chains))]

/** Returns the change that adds or replaces a record. */
export const recordEdits = (record: ChainRecord): Edits => editsOf(hostedTables.chains, [[record.chainID, record]])

/** Returns the change that removes a record. The rows of the chain stay. */
export const removalEdits = (chainID: ID): Edits => editsOf(hostedTables.chains, [[chainID, undefined]])

/**
 * Returns the deletion of some rows of a chain that has no record any more, and at last of its notes; `undefined` if there is no such chain.
 * Every chain with rows has a note.
 */
export function sweepEdits(view: IndexedView): Edits | undefined {
  const { chains, rows, notes } = hostedTables
  const chainID = [...view.rows(notes)].map(([key]) => key.chainID).find((each) => view.get(chains, each) === undefined)
  if (chainID === undefined) return undefined
  const texts: string[] = []
  for (const [key] of view.rows(rows, { under: { chainID } })) if (texts.push(rows.key.toText(key)) === PART_ROWS) break
  if (texts.length > 0) return deletionOf(rows, texts)
  return deletionOf(
    notes,
    [...view.rows(notes, { under: { chainID } })].map(([key]) => notes.key.toText(key)),
  )
}

const deletionOf = (table: AnyTable, texts: readonly string[]): Edits =>
  editsOf(
    table,
    texts.map((text) => [text, undefined]),
  )

const editsOf = (table: AnyTable, rows: readonly (readonly [string, unknown])[]): Edits =>
  new Map([[table, new Map<string, Edit>(rows.map(([text, value]) => [text, { value, isNew: false }]))]])

export const hostingFolder = (dataDir: string): string => join(dataDir, "l1")

/** Makes a directory, or empties it. */
export function emptyFolder(dir: string): void {
  rmSync(dir, { recursive: true, force: true })
  makeOwnerDirectory(dir)
}

/** The directory of a VM's own files. */
export const vmFolder = (folder: string, chainID: ID): string => join(folder, idText(chainID), "vm")

/** Removes the directories of chains that the node does not host. Those with the data of an earlier version stay, and are returned. */
export function removeOtherFolders(folder: string, hosted: readonly ChainRecord[]): readonly string[] {
  const older = earlierFolders(folder)
  const kept = new Set([...hosted.map(({ chainID }) => idText(chainID)), ...older])
  for (const name of namesIn(folder)) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true })
  return older
}

/** Returns the directories with the data of L1s of an earlier version. */
export const earlierFolders = (folder: string): readonly string[] =>
  namesIn(folder).filter((name) => existsSync(join(folder, name, EARLIER_RECORD)))

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** The file of an L1 in versions that kept each in a database of its own. */
const EARLIER_RECORD = "l1.json"

/** Returns whether a VM keeps files of its own in its directory. */
export const hasOwnData = (dataDir: string): boolean => readdirSync(dataDir).length > 0

/**
 * Says in the log that a copy, a server, an export or a fork has the P-Chain only, if others may run beside the original: those that the node
 * of its directory hosts, or any beside a private chain that was copied over its API. `from` is the directory or the address of the original.
 */
export function reportPChainOnly(store: Pick<Store, "latest" | "getMeta">, from: string, log: Pick<Log, "info">): void {
  if (storedIdentity(store)?.kind === "followed") {
    if (isMadeByOneNode(store)) log.info(P_CHAIN_ONLY, { from })
    return
  }
  const hosted = recordsIn(store.latest).map(({ name }) => name)
  if (hosted.length > 0) log.info(P_CHAIN_ONLY, { from, hosted: hosted.join(", ") })
}

/** Says the same of a chain in a database, which has no rows of hosted chains: others may run beside any chain that one node makes. */
export function reportPublishedOnly(store: Pick<Store, "getMeta">, from: string, log: Pick<Log, "info">): void {
  if (isMadeByOneNode(store)) log.info(P_CHAIN_ONLY, { from })
}

const P_CHAIN_ONLY = "only the P-Chain is here: the C-Chain and the L1s of the node that makes it are not copied"
