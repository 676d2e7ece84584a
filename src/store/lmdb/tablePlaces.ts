import type { RootDatabase } from "lmdb"
import type { AnyTable } from "../../core/state/table.js"
import { type LmdbTable, openTable } from "./lmdbTable.js"
import type { OpenTables } from "./lmdbView.js"

/**
 * Returns the name of one of the two databases of a table. A whole state is loaded into those that are not in use, in as many commits as
 * needed, and becomes the state with one more commit, which records the places of the rows (the meta value `secondPlaces`).
 */
const databaseOf = ({ name }: AnyTable, isSecond: boolean): string => (isSecond ? `${name}.second` : name)

/** Reads the names of the tables whose rows are in the second of their databases. */
export const secondPlacesIn = (text: string | undefined): ReadonlySet<string> => new Set(text ? text.split(",") : [])

/** Prints these names for the store. */
export const placesText = (names: ReadonlySet<string>): string => [...names].sort().join(",")

/** Opens the databases with the rows of these tables, by the text of the names. */
export function openPlaces(root: RootDatabase, places: string | undefined, tables: readonly AnyTable[]): OpenTables {
  const second = secondPlacesIn(places)
  return new Map(tables.map((table) => [table, openTable(root, table, databaseOf(table, second.has(table.name)))]))
}

/** Opens the databases of these tables that have no rows, and makes missing ones. It must be called inside a transaction. */
export function openOtherPlaces(
  root: RootDatabase,
  places: string | undefined,
  tables: readonly AnyTable[],
): ReadonlyMap<AnyTable, LmdbTable> {
  const second = secondPlacesIn(places)
  const open = (table: AnyTable) => openTable(root, table, databaseOf(table, !second.has(table.name))) as LmdbTable
  return new Map(tables.map((table) => [table, open(table)]))
}

/**
 * Clears the databases that have no rows of the state, because an interrupted load may have left some in them. It must be called inside a
 * transaction.
 */
export function emptyOtherPlaces(
  root: RootDatabase,
  places: string | undefined,
  { names, tables }: { readonly names: readonly string[]; readonly tables: readonly AnyTable[] },
): void {
  const second = secondPlacesIn(places)
  const made = tables.filter((table) => names.includes(databaseOf(table, !second.has(table.name))))
  for (const table of openOtherPlaces(root, places, made).values()) if (table.size > 0) table.clear()
}
