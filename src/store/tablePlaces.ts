import type { RootDatabase } from "lmdb"
import type { AnyTable } from "../core/state/table.js"
import { type LmdbTable, openTable } from "./lmdbTable.js"
import type { OpenTables } from "./lmdbView.js"

/**
 * The two databases that the rows of a table may lie in. A whole state is loaded into those that are not in use, in as many commits as it takes, and
 * becomes the state with one more commit, which says where the rows lie now (`secondPlaces` of the small values).
 */
const databaseOf = ({ name }: AnyTable, isSecond: boolean): string => (isSecond ? `${name}.second` : name)

/** The names of the tables whose rows lie in the second of their databases. */
export const secondPlacesIn = (text: string | undefined): ReadonlySet<string> => new Set(text ? text.split(",") : [])

/** The text of these names, as it is kept. */
export const placesText = (names: ReadonlySet<string>): string => [...names].sort().join(",")

/** Opens the databases that hold the rows of these tables, by the text of the names. */
export function openPlaces(root: RootDatabase, places: string | undefined, tables: readonly AnyTable[]): OpenTables {
  const second = secondPlacesIn(places)
  return new Map(tables.map((table) => [table, openTable(root, table, databaseOf(table, second.has(table.name)))]))
}

/** Opens the databases of these tables that hold no rows, and makes those that are missing. Inside a transaction. */
export function openOtherPlaces(
  root: RootDatabase,
  places: string | undefined,
  tables: readonly AnyTable[],
): ReadonlyMap<AnyTable, LmdbTable> {
  const second = secondPlacesIn(places)
  const open = (table: AnyTable) => openTable(root, table, databaseOf(table, !second.has(table.name))) as LmdbTable
  return new Map(tables.map((table) => [table, open(table)]))
}

/** Empties the databases that hold no rows of the state: an interrupted load may have left some in them. Inside a transaction. */
export function emptyOtherPlaces(
  root: RootDatabase,
  places: string | undefined,
  { names, tables }: { readonly names: readonly string[]; readonly tables: readonly AnyTable[] },
): void {
  const second = secondPlacesIn(places)
  const made = tables.filter((table) => names.includes(databaseOf(table, !second.has(table.name))))
  for (const table of openOtherPlaces(root, places, made).values()) if (table.size > 0) table.clear()
}
