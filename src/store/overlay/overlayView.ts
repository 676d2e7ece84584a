import type { Range } from "../../core/state/range.js"
import type { Snapshot } from "../../core/state/snapshot.js"
import type { AnyTable, IndexTable, Table } from "../../core/state/table.js"
import type { IndexedView } from "../../core/state/view.js"
import type { OverlayRow, OverlayTables } from "./overlayTables.js"

/** The parts of an overlay's view. */
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
    for (const row of this.rows(table)) return row
    return undefined
  }

  rows<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<readonly [K, V]> {
    const { own, base, overlayTables, isHidden } = this.#parts
    const overlay = overlayTables.get(table)
    if (!overlay) return own.rows(table, range)
    const below: Iterable<readonly [K, V]> = isHidden(table) ? [] : base.rows(table, range)
    return merged(own.rows(overlay, range) as Iterable<readonly [K, OverlayRow]>, below, (key) => table.key.toText(key))
  }

  values<K, V>(table: Table<K, V> | IndexTable<K, V>, range: Range<K> = {}): Iterable<V> {
    const { own, base, overlayTables, isHidden } = this.#parts
    const overlay = overlayTables.get(table)
    if (!overlay) return own.values(table, range)
    // An iteration over values alone takes half of the time, and most ranges have no changed row.
    const isUntouched = isEmpty(own.values(overlay, range as Range<never>))
    return isUntouched && !isHidden(table) ? base.values(table, range) : valuesOf(this.rows(table, range))
  }
}

/** Merges two iterations in the order of their keys. If both have a key, the row of the overlay counts. */
function* merged<K, V>(
  own: Iterable<readonly [K, OverlayRow]>,
  base: Iterable<readonly [K, V]>,
  textOf: (key: K) => string,
): Iterable<readonly [K, V]> {
  const below = base[Symbol.iterator]()
  let next = below.next()
  try {
    for (const [key, { value }] of own) {
      const text = textOf(key)
      for (; !next.done; next = below.next()) {
        const baseText = textOf(next.value[0])
        if (baseText > text) break
        if (baseText < text) yield next.value
      }
      if (value !== undefined) yield [key, value as V]
    }
    for (; !next.done; next = below.next()) yield next.value
  } finally {
    below.return?.()
  }
}

function* valuesOf<V>(rows: Iterable<readonly [unknown, V]>): Iterable<V> {
  for (const [, value] of rows) yield value
}

function isEmpty(values: Iterable<unknown>): boolean {
  for (const _ of values) return false
  return true
}
