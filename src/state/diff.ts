import type { AnyTable, Table } from "./table.js"
import type { Edit, Edits, Range, View } from "./view.js"

interface Rows {
  readonly edits: Map<string, Edit>
  /** The edited keys in order; made when first asked for after a change. */
  sorted: string[] | undefined
}

/**
 * Changes on top of a view. The only thing in the inner rooms that changes, and all it changes is itself. It knows
 * tables, not what they mean.
 */
export class Diff implements View {
  readonly parent: View
  readonly #tables = new Map<AnyTable, Rows>()

  constructor(parent: View) {
    this.parent = parent
  }

  get<K, V>(table: Table<K, V>, key: K): V | undefined {
    const edit = this.#tables.get(table)?.edits.get(table.key.toText(key))
    return edit === undefined ? this.parent.get(table, key) : (edit.value as V | undefined)
  }

  /** Writes a row that may have been there before. */
  put<K, V>(table: Table<K, V>, key: K, value: V): void {
    const text = table.key.toText(key)
    const rows = this.#rowsOf(table)
    const before = rows.edits.get(text)
    rows.edits.set(text, { value, isNew: before?.isNew === true })
    if (before === undefined) rows.sorted = undefined
  }

  /** Writes a row that is known not to be there. Deleting it again leaves no trace. */
  insert<K, V>(table: Table<K, V>, key: K, value: V): void {
    const text = table.key.toText(key)
    const rows = this.#rowsOf(table)
    const before = rows.edits.get(text)
    rows.edits.set(text, { value, isNew: before === undefined })
    if (before === undefined) rows.sorted = undefined
  }

  delete<K, V>(table: Table<K, V>, key: K): void {
    const text = table.key.toText(key)
    const rows = this.#rowsOf(table)
    const before = rows.edits.get(text)
    if (before?.isNew) {
      rows.edits.delete(text)
      rows.sorted = undefined
      return
    }
    rows.edits.set(text, { value: undefined, isNew: false })
    if (before === undefined) rows.sorted = undefined
  }

  /** Whether this very diff deleted a row that its parent has. */
  hasDeleted<K, V>(table: Table<K, V>, key: K): boolean {
    const edit = this.#tables.get(table)?.edits.get(table.key.toText(key))
    return edit !== undefined && edit.value === undefined
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    const rows = this.#tables.get(table)
    if (rows === undefined || rows.edits.size === 0) return this.parent.first(table)
    for (const row of this.rows(table)) return row
    return undefined
  }

  *rows<K, V>(table: Table<K, V>, range: Range = {}): Iterable<readonly [K, V]> {
    const own = this.#tables.get(table)
    if (own === undefined || own.edits.size === 0) {
      yield* this.parent.rows(table, range)
      return
    }
    const { edits } = own
    const keys = this.#keysIn(own, range)
    let next = 0
    const ownRow = (text: string): readonly [K, V] | undefined => {
      // Whoever walks may delete, and a new row then leaves no trace.
      const value = edits.get(text)?.value
      return value === undefined ? undefined : [table.key.fromText(text), value as V]
    }
    for (const row of this.parent.rows(table, range)) {
      const text = table.key.toText(row[0])
      while (next < keys.length && (keys[next] as string) < text) {
        const mine = ownRow(keys[next++] as string)
        if (mine) yield mine
      }
      if (keys[next] !== text) {
        yield row
        continue
      }
      const mine = ownRow(text)
      next++
      if (mine) yield mine
    }
    while (next < keys.length) {
      const mine = ownRow(keys[next++] as string)
      if (mine) yield mine
    }
  }

  /** Every changed row. */
  get edits(): Edits {
    const all = new Map<AnyTable, ReadonlyMap<string, Edit>>()
    for (const [table, { edits }] of this.#tables) if (edits.size > 0) all.set(table, edits)
    return all
  }

  /** How many rows are changed. */
  get size(): number {
    let size = 0
    for (const { edits } of this.#tables.values()) size += edits.size
    return size
  }

  /** Writes these changes into a diff below. */
  applyTo(target: Diff): void {
    for (const [table, { edits }] of this.#tables) {
      for (const [text, { value, isNew }] of edits) {
        const key = table.key.fromText(text)
        if (value === undefined) target.delete(table, key)
        else if (isNew) target.insert(table, key, value)
        else target.put(table, key, value)
      }
    }
  }

  #rowsOf(table: AnyTable): Rows {
    let rows = this.#tables.get(table)
    if (!rows) {
      rows = { edits: new Map(), sorted: undefined }
      this.#tables.set(table, rows)
    }
    return rows
  }

  #keysIn(rows: Rows, { prefix = "", from = "" }: Range): string[] {
    rows.sorted ??= [...rows.edits.keys()].sort()
    const start = from > prefix ? from : prefix
    const keys: string[] = []
    for (let i = lowerBound(rows.sorted, start); i < rows.sorted.length; i++) {
      const text = rows.sorted[i] as string
      if (!text.startsWith(prefix)) break
      keys.push(text)
    }
    return keys
  }
}

/** Where in a sorted list the first text that is not below `text` stands. */
function lowerBound(sorted: readonly string[], text: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as string) < text) low = middle + 1
    else high = middle
  }
  return low
}
