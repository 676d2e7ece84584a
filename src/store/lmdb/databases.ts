import { Buffer } from "node:buffer"
import type { RootDatabase } from "lmdb"
import type { AnyTable } from "../../core/state/table.js"
import { storeError } from "../errors.js"
import { SCHEMA } from "../meta.js"
import type { OpenedLmdb } from "./lmdbConnection.js"
import { LmdbMeta, META_DATABASE } from "./lmdbMeta.js"
import { emptyOtherPlaces, openPlaces } from "./tablePlaces.js"

/** Conditions under which a store is opened, see `LmdbOptions`. */
export interface OpenConditions {
  readonly dir: string
  readonly networkID?: number
  readonly mustExist?: boolean
  readonly readOnly?: boolean
  readonly isRepair?: boolean
}

/** Returns the names of the databases of an LMDB environment. */
export function databaseNames(root: RootDatabase): readonly string[] {
  // LMDB ends names with a zero if another process made the table.
  return [...root.getKeys()].map((name) =>
    Buffer.from(name as Uint8Array)
      .toString()
      .replace(/\0$/, ""),
  )
}

/** Returns whether the store is new. Throws `store.*` if the store may not be opened. */
export function checkContents(
  root: RootDatabase,
  names: readonly string[],
  { dir, networkID, mustExist, readOnly, isRepair }: OpenConditions,
): boolean {
  if (names.length === 0) {
    if (mustExist || readOnly) throw storeError("store.missing", { dir })
    return true
  }
  const meta = names.includes(META_DATABASE) ? new LmdbMeta(root) : undefined
  const schema = meta?.get("schema")
  if (schema === undefined) throw storeError("store.foreign", { dir })
  if (schema > SCHEMA) throw storeError("store.newer", { dir, schema, known: SCHEMA })
  if (schema < SCHEMA) throw storeError("store.older", { dir, schema, known: SCHEMA })
  if (!isRepair && meta?.get("repair") !== undefined) throw storeError("store.half_repaired", { dir })
  const found = meta?.get("networkID")
  if (networkID !== undefined && found !== undefined && found !== networkID) {
    throw storeError("store.other_network", { dir, networkID: found, expected: networkID })
  }
  return false
}

/** Opens every table in one transaction and creates missing ones. The same transaction marks a new store, and frees the pages of an interrupted load. */
export function makeDatabases(
  root: RootDatabase,
  all: readonly AnyTable[],
  names: readonly string[],
  { networkID }: OpenConditions,
): OpenedLmdb {
  const opened = openDatabases(root, all)
  if (names.length === 0) opened.meta.put({ schema: SCHEMA, networkID })
  emptyOtherPlaces(root, opened.meta.get("secondPlaces"), { names, tables: all })
  return opened
}

/** Opens the databases with the rows of these tables. */
export function openDatabases(root: RootDatabase, all: readonly AnyTable[]): OpenedLmdb {
  const meta = new LmdbMeta(root)
  return { root, meta, tables: openPlaces(root, meta.get("secondPlaces"), all) }
}
