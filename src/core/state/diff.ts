import { SortedMap } from "../lib/sortedMap.js"
import type { DecodedRows } from "./decodedRows.js"
import type { NewFact } from "./facts.js"
import type { Key } from "./key.js"
import { type Range, textRange } from "./range.js"
import type { AnyPrimaryTable, Table } from "./table.js"
import { type Edit, firstOf, type PrimaryEdits, type View } from "./view.js"

const NO_EDITS: ReadonlyMap<string, Edit> = new Map()

interface RowChange<K, V> {
  readonly key: K
  readonly before: V | undefined
  readonly after: V | undefined
}

interface Rows {
  readonly edits: Map<string, Edit>
  /** The edited keys in order. Made at the first iteration, and updated from then on. */
  order: SortedMap<true> | undefined
}

/**
 * Changes on top of a view. It is the only object in `core/` that changes, and it changes only itself. It knows tables, but not their
 * meaning. It carries the facts of the block whose execution makes the changes.
 */
export class Diff implements View {
  readonly parent: View
  readonly #facts: NewFact[] = []
  readonly #tables = new Map<AnyPrimaryTable, Rows>()
  readonly #computed = new Map<object, unknown>()
  readonly decodedTxs: DecodedRows | undefined

  constructor(parent: View, decodedTxs = parent.decodedTxs) {
    this.parent = parent
    this.decodedTxs = decodedTxs
  }

  /** Returns what is computed from an object, once for this diff. Only one thing may be computed from the same object. */
  computed<T>(from: object, compute: () => T): T {
    if (!this.#computed.has(from)) this.#computed.set(from, compute())
    return this.#computed.get(from) as T
  }

  get<K, V>(table: Table<K, V>, key: K): V | undefined {
    const edit = this.#tables.get(table)?.edits.get(table.key.toText(key))
    return edit === undefined ? this.parent.get(table, key) : (edit.value as V | undefined)
  }

  /** Writes a row that may exist already. */
  put<K, V>(table: Table<K, V>, key: K, value: V): void {
    setRow(this.#rowsOf(table), table.key.toText(key), { value, isNew: false })
  }

  /** Writes a row that is known not to exist below. Deleting it again leaves no edit. */
  insert<K, V>(table: Table<K, V>, key: K, value: V): void {
    setRow(this.#rowsOf(table), table.key.toText(key), { value, isNew: true })
  }

  delete<K, V>(table: Table<K, V>, key: K): void {
    this.#delete(table, table.key.toText(key))
  }

  #delete(table: AnyPrimaryTable, text: string): void {
    const { edits, order } = this.#rowsOf(table)
    // Whether a new row is below after all is looked up, because the row below would be there again without an edit.
    if (edits.get(text)?.isNew && this.parent.get(table, table.key.fromText(text)) === undefined) {
      edits.delete(text)
      order?.delete(text)
    } else {
      edits.set(text, { value: undefined, isNew: false })
      order?.set(text, true)
    }
  }

  /** Records a fact about these changes. */
  record(fact: NewFact): void {
    this.#facts.push(fact)
  }

  /** Returns the facts about these changes in the order in which they were recorded, and forgets them. */
  takeFacts(): readonly NewFact[] {
    return this.#facts.splice(0)
  }

  /** Returns whether this diff itself deleted a row that its parent has. */
  hasDeleted<K, V>(table: Table<K, V>, key: K): boolean {
    const edit = this.#tables.get(table)?.edits.get(table.key.toText(key))
    return edit !== undefined && edit.value === undefined
  }

  first<K, V>(table: Table<K, V>): readonly [K, V] | undefined {
    return this.editsOf(table).size === 0 ? this.parent.first(table) : firstOf(this.rows(table))
  }

  rows<K, V>(table: Table<K, V>, range: Range<K> = {}): Iterable<readonly [K, V]> {
    const own = this.#tables.get(table)
    if (own === undefined || own.edits.size === 0) return this.parent.rows(table, range)
    const { prefix, from } = textRange(table.key, range)
    return changedRows(table.key, changesOf(own.edits, orderOf(own).entries(prefix, from)), this.parent.rows(table, range))
  }

  /** The changed rows of one table by key text. */
  editsOf(table: AnyPrimaryTable): ReadonlyMap<string, Edit> {
    return this.#tables.get(table)?.edits ?? NO_EDITS
  }

  /** Returns the changed rows of a table, each with its value before this diff and its value now. */
  changesIn<K, V>(table: Table<K, V>): readonly RowChange<K, V>[] {
    return Array.from(this.editsOf(table), ([text, { value }]) => {
      const key = table.key.fromText(text)
      return { key, before: this.parent.get(table, key), after: value as V | undefined }
    })
  }

  /** Every changed row. */
  get edits(): PrimaryEdits {
    const all = new Map<AnyPrimaryTable, ReadonlyMap<string, Edit>>()
    for (const [table, { edits }] of this.#tables) if (edits.size > 0) all.set(table, edits)
    return all
  }

  get size(): number {
    let size = 0
    for (const { edits } of this.#tables.values()) size += edits.size
    return size
  }

  /** Writes these changes into a diff below, and adds their facts to its own. */
  applyTo(target: Diff): void {
    for (const fact of this.#facts) target.#facts.push(fact)
    for (const [table, { edits }] of this.#tables) {
      const rows = target.#rowsOf(table)
      for (const [text, edit] of edits) {
        if (edit.value === undefined) target.#delete(table, text)
        else setRow(rows, text, edit)
      }
    }
  }

  #rowsOf(table: AnyPrimaryTable): Rows {
    let rows = this.#tables.get(table)
    if (!rows) {
      rows = { edits: new Map(), order: undefined }
      this.#tables.set(table, rows)
    }
    return rows
  }
}

/** Sets a row. Whether it is new was decided by its first edit: a row that was put or deleted is not new when it is inserted. */
function setRow({ edits, order }: Rows, text: string, edit: Edit): void {
  const { isNew } = edits.get(text) ?? edit
  edits.set(text, isNew === edit.isNew ? edit : { value: edit.value, isNew })
  order?.set(text, true)
}

/** Returns the changes of keys. A caller may delete rows while it iterates, so a value is looked up when it is read. */
function* changesOf(edits: ReadonlyMap<string, Edit>, keys: Iterable<readonly [string, true]>): Iterable<Change> {
  for (const [text] of keys) yield [text, () => edits.get(text)?.value]
}

/** A key text, and its changed value; `undefined` deletes the row. */
export type Change = readonly [text: string, valueNow: () => unknown]

/**
 * Merges the changes of rows with the rows below, in the order of their keys. Of a key that both have, the change counts; one without a value
 * is a deletion.
 */
export function* changedRows<K, V>(
  key: Key<K>,
  changes: Iterable<Change>,
  below: Iterable<readonly [K, V]>,
): Iterable<readonly [K, V]> {
  const rows = below[Symbol.iterator]()
  let next = rows.next()
  try {
    for (const [text, valueNow] of changes) {
      for (; !next.done; next = rows.next()) {
        const textBelow = key.toText(next.value[0])
        if (textBelow > text) break
        if (textBelow < text) yield next.value
      }
      const value = valueNow()
      if (value !== undefined) yield [key.fromText(text), value as V]
    }
    for (; !next.done; next = rows.next()) yield next.value
  } finally {
    rows.return?.()
  }
}

function orderOf(rows: Rows): SortedMap<true> {
  if (!rows.order) {
    rows.order = new SortedMap()
    for (const text of rows.edits.keys()) rows.order.set(text, true)
  }
  return rows.order
}
