import { SortedMap } from "../lib/sortedMap.js"
import type { DecodedRows } from "./decodedRows.js"
import { type Range, textRange } from "./range.js"
import type { AnyPrimaryTable, Table } from "./table.js"
import type { Edit, PrimaryEdits, View } from "./view.js"

const NO_EDITS: ReadonlyMap<string, Edit> = new Map()

/** Keys are hex. */
const ABOVE_ALL_KEYS = "g"

/** The changed rows of one table. */
interface Rows {
  readonly table: AnyPrimaryTable
  readonly edits: Map<string, Edit>
  /** The edited keys in order. Made at the first use, and updated from then on. */
  order: SortedMap<true> | undefined
  /** The key below which the parent has only rows that are edited here, and this diff only deleted ones. */
  parentFrom: string
  ownFrom: string
  /** The first row that was found since the last change; `undefined` if none was sought. */
  found: { readonly first: readonly [unknown, unknown] | undefined } | undefined
}

/**
 * Changes on top of a view. It is the only object in `core/` that changes, and it changes only itself. It knows tables, but not their
 * meaning.
 */
export class Diff implements View {
  #parent: View
  /** The tables with changes. A block changes about ten, among which a search takes less than a hash. */
  readonly #tables: Rows[] = []
  readonly decodedTxs: DecodedRows | undefined

  constructor(parent: View, decodedTxs = parent.decodedTxs) {
    this.#parent = parent
    this.decodedTxs = decodedTxs
  }

  /** The view that the changes are on top of. */
  get parent(): View {
    return this.#parent
  }

  /** Replaces a view below by one that has the same rows. */
  replaceBelow(view: View, by: View): void {
    for (let at: View = this; at instanceof Diff; at = at.#parent) {
      if (at.#parent !== view) continue
      at.#parent = by
      return
    }
  }

  /** Makes a diff with changes that are not changed any more. */
  static of(parent: View, edits: PrimaryEdits): Diff {
    const diff = new Diff(parent)
    for (const [table, rows] of edits) {
      diff.#tables.push({
        table,
        edits: rows as Map<string, Edit>,
        order: undefined,
        parentFrom: "",
        ownFrom: "",
        found: undefined,
      })
    }
    return diff
  }

  get<K, V>(table: Table<K, V>, key: K): V | undefined {
    const edit = this.#find(table)?.edits.get(table.key.toText(key))
    return edit === undefined ? this.#parent.get(table, key) : (edit.value as V | undefined)
  }

  /** Writes a row that may exist already. */
  put<K, V>(table: Table<K, V>, key: K, value: V): void {
    putText(this.#rowsOf(table), table.key.toText(key), value)
  }

  /** Writes a row that is known not to exist. Deleting it again leaves no edit. */
  insert<K, V>(table: Table<K, V>, key: K, value: V): void {
    insertText(this.#rowsOf(table), table.key.toText(key), value)
  }

  delete<K, V>(table: Table<K, V>, key: K): void {
    deleteText(this.#rowsOf(table), table.key.toText(key))
  }

  /** Returns whether this diff itself deleted a row that its parent has. */
  hasDeleted<K, V>(table: Table<K, V>, key: K): boolean {
    const edit = this.#find(table)?.edits.get(table.key.toText(key))
    return edit !== undefined && edit.value === undefined
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    const rows = this.#find(table)
    if (rows === undefined || rows.edits.size === 0) return this.#parent.first(table)
    rows.found ??= { first: this.#seekFirst(table, rows) }
    return rows.found.first as readonly [K, V] | undefined
  }

  #seekFirst<K, V>(table: Table<K, V>, rows: Rows): readonly [K, V] | undefined {
    const below = this.#firstOfParent(table, rows)
    const own = firstOwn(rows, rows.ownFrom)
    rows.ownFrom = own ?? ABOVE_ALL_KEYS
    if (own === undefined) return below
    if (below !== undefined && table.key.toText(below[0]) < own) return below
    return [table.key.fromText(own), rows.edits.get(own)?.value as V]
  }

  /** Returns the first row of the parent that is not edited here. Rows that were skipped once are not read again. */
  #firstOfParent<K, V>(table: Table<K, V>, rows: Rows): readonly [K, V] | undefined {
    if (rows.parentFrom === "") {
      const first = this.#parent.first(table)
      if (first === undefined) return undefined
      const text = table.key.toText(first[0])
      if (!rows.edits.has(text)) return first
      rows.parentFrom = text
    }
    for (const row of this.#parent.rows(table, { from: table.key.fromText(rows.parentFrom) as Partial<K> })) {
      const text = table.key.toText(row[0])
      if (!rows.edits.has(text)) return row
      rows.parentFrom = text
    }
    return undefined
  }

  rows<K, V>(table: Table<K, V>, range: Range<K> = {}): Iterable<readonly [K, V]> {
    const own = this.#find(table)
    if (own === undefined || own.edits.size === 0) return this.#parent.rows(table, range)
    const { prefix, from } = textRange(table.key, range)
    const keys = orderOf(own).entriesWith(prefix, from)
    const { done, value } = keys.next()
    return done ? this.#parent.rows(table, range) : this.#merged(table, range, own, value[0], keys)
  }

  /** Merges the rows of the parent with those of the edited keys: the first one, and the rest. */
  *#merged<K, V>(
    table: Table<K, V>,
    range: Range<K>,
    { edits }: Rows,
    first: string,
    rest: Iterator<readonly [string, true]>,
  ): Iterable<readonly [K, V]> {
    const nextKey = (): string | undefined => rest.next().value?.[0]
    const ownRow = (text: string): readonly [K, V] | undefined => {
      // The caller may delete rows while it iterates, and a deleted new row leaves no edit.
      const value = edits.get(text)?.value
      return value === undefined ? undefined : [table.key.fromText(text), value as V]
    }
    let next: string | undefined = first
    for (const row of this.#parent.rows(table, range)) {
      const text = table.key.toText(row[0])
      for (; next !== undefined && next < text; next = nextKey()) {
        const mine = ownRow(next)
        if (mine) yield mine
      }
      if (next !== text) {
        yield row
        continue
      }
      const mine = ownRow(text)
      next = nextKey()
      if (mine) yield mine
    }
    for (; next !== undefined; next = nextKey()) {
      const mine = ownRow(next)
      if (mine) yield mine
    }
  }

  *values<K, V>(table: Table<K, V>, range: Range<K> = {}): Iterable<V> {
    for (const [, value] of this.rows(table, range)) yield value
  }

  /** Returns the first row of a range that this diff itself has. Its parent is not read. */
  firstOwn<K, V>(table: Table<K, V>, range: Range<K>): readonly [K, V] | undefined {
    const own = this.#find(table)
    if (own === undefined || own.edits.size === 0) return undefined
    const { prefix, from } = textRange(table.key, range)
    const text = firstOwn(own, from)
    return text?.startsWith(prefix) ? [table.key.fromText(text), own.edits.get(text)?.value as V] : undefined
  }

  /** The changed rows of one table by key text. */
  editsOf(table: AnyPrimaryTable): ReadonlyMap<string, Edit> {
    return this.#find(table)?.edits ?? NO_EDITS
  }

  /** Every changed row. */
  get edits(): PrimaryEdits {
    const all = new Map<AnyPrimaryTable, ReadonlyMap<string, Edit>>()
    for (const { table, edits } of this.#tables) if (edits.size > 0) all.set(table, edits)
    return all
  }

  /** Number of changed rows. */
  get size(): number {
    let size = 0
    for (const { edits } of this.#tables) size += edits.size
    return size
  }

  /** Writes these changes into a diff below. */
  applyTo(target: Diff): void {
    for (const { table, edits } of this.#tables) {
      if (edits.size === 0) continue
      const rows = target.#rowsOf(table)
      // Unlike a loop, this makes no array for each row.
      edits.forEach((edit, text) => {
        if (edit.value === undefined) deleteText(rows, text)
        else setText(rows, text, edit)
      })
    }
  }

  #find(table: AnyPrimaryTable): Rows | undefined {
    const tables = this.#tables
    for (let i = 0; i < tables.length; i++) if ((tables[i] as Rows).table === table) return tables[i]
    return undefined
  }

  #rowsOf(table: AnyPrimaryTable): Rows {
    let rows = this.#find(table)
    if (!rows) {
      rows = { table, edits: new Map(), order: undefined, parentFrom: "", ownFrom: "", found: undefined }
      this.#tables.push(rows)
    }
    return rows
  }
}

function putText(rows: Rows, text: string, value: unknown): void {
  setText(rows, text, { value, isNew: false })
}

function insertText(rows: Rows, text: string, value: unknown): void {
  setText(rows, text, { value, isNew: true })
}

/** Sets a row. A row that was new stays so when it is put, and one that was deleted or put is not new when it is inserted. */
function setText(rows: Rows, text: string, edit: Edit): void {
  rows.found = undefined
  const before = rows.edits.get(text)
  const isNew = before === undefined ? edit.isNew : before.isNew && !edit.isNew
  rows.edits.set(text, isNew === edit.isNew ? edit : { value: edit.value, isNew })
  if (before === undefined) rows.order?.set(text, true)
  if (text < rows.ownFrom) rows.ownFrom = text
}

function deleteText(rows: Rows, text: string): void {
  const { edits, order } = rows
  rows.found = undefined
  const before = edits.get(text)
  if (before?.isNew) {
    edits.delete(text)
    order?.delete(text)
    return
  }
  edits.set(text, { value: undefined, isNew: false })
  if (before === undefined) order?.set(text, true)
}

/** Returns the lowest edited key, from a key on, whose row is not deleted. */
function firstOwn(rows: Rows, from: string): string | undefined {
  const order = orderOf(rows)
  const first = order.keyFrom(from)
  if (first === undefined || rows.edits.get(first)?.value !== undefined) return first
  for (const [text] of order.entries(first)) if (rows.edits.get(text)?.value !== undefined) return text
  return undefined
}

function orderOf(rows: Rows): SortedMap<true> {
  if (!rows.order) {
    rows.order = new SortedMap()
    for (const text of rows.edits.keys()) rows.order.set(text, true)
  }
  return rows.order
}
