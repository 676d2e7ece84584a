import { optional } from "../../core/codec/optional.js"
import { struct } from "../../core/codec/struct.js"
import { type Change, changedRows } from "../../core/state/diff.js"
import type { Range } from "../../core/state/range.js"
import { type AnyTable, type IndexTable, type Table, table } from "../../core/state/table.js"
import type { Snapshot } from "../../core/state/view.js"
import { firstOf, type IndexedView } from "../../core/state/view.js"
import { tablesOf } from "../indexes.js"

/** A row of an overlay: the value that replaces the row of the base, or no value if the row is deleted. */
interface OverlayRow {
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

export interface OverlayViewParts {
  readonly own: IndexedView
  /** The rows below, which never change. */
  readonly base: IndexedView
  readonly overlayTables: OverlayTables
  isHidden(table: AnyTable): boolean
  release?(): void
}

/** The rows of a base with those of an overlay over them. Tables that are not overlaid have only the overlay's own rows. */
export class OverlayView implements Snapshot {
  readonly hasIndexes = true
  readonly #parts: OverlayViewParts

  constructor(parts: OverlayViewParts) {
    this.#parts = parts
  }

  release(): void {
    this.#parts.release?.()
  }

  get<K, V>(table: Table<K, V> | IndexTable<K, V>, key: K): V | undefined {
    const { own, base, overlayTables, isHidden } = this.#parts
    const overlay = overlayTables.get(table)
    if (!overlay) return own.get(table, key)
    const row = own.get(overlay, key)
    if (row) return row.value as V | undefined
    return isHidden(table) ? undefined : base.get(table, key)
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    return firstOf(this.rows(table))
  }

  rows<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<readonly [K, V]> {
    const { own, base, overlayTables, isHidden } = this.#parts
    const overlay = overlayTables.get(table)
    if (!overlay) return own.rows(table, range)
    return changedRows(table.key, changesOf(overlay, own.rows(overlay, range)), isHidden(table) ? [] : base.rows(table, range))
  }
}

function* changesOf<K>({ key }: OverlayTable, rows: Iterable<readonly [K, OverlayRow]>): Iterable<Change> {
  for (const [each, { value }] of rows) yield [key.toText(each), () => value]
}
