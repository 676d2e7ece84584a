import { type Change, changedRows } from "../../core/state/diff.js"
import type { Range } from "../../core/state/range.js"
import type { Snapshot } from "../../core/state/snapshot.js"
import type { AnyTable, IndexTable, Table } from "../../core/state/table.js"
import { firstOf, type IndexedView } from "../../core/state/view.js"
import type { OverlayRow, OverlayTable, OverlayTables } from "./overlayTables.js"

export interface OverlayViewParts {
  /** The overlay's own rows. */
  readonly own: IndexedView
  /** The rows below, which never change. */
  readonly base: IndexedView
  readonly overlayTables: OverlayTables
  /** Returns whether the base's rows of a table are hidden. */
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
