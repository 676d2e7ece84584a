import { optional } from "../../core/codec/optional.js"
import { struct } from "../../core/codec/struct.js"
import { type AnyTable, type Table, table } from "../../core/state/table.js"
import { tablesOf } from "../indexes.js"

/** A row of an overlay: the value that replaces the row of the base, or no value if the row is deleted. */
export interface OverlayRow {
  readonly value: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: a list of unlike tables
export type OverlayTable = Table<any, OverlayRow>

/** The tables of an overlay's own rows, by the table that they cover, including index tables. */
export type OverlayTables = ReadonlyMap<AnyTable, OverlayTable>

/** Makes the tables of an overlay over these tables and their indexes. Each has the name and the keys of the table below it. */
export function overlayTablesOf(tables: readonly AnyTable[]): OverlayTables {
  return new Map(
    tablesOf({ tables }).map((below) => [below, table(below.name, below.key, struct({ value: optional(below.value) }))]),
  )
}
