import { encode } from "../../core/codec/decode.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { rowFault } from "../../core/state/rowFault.js"
import { type AnyTable, type Index, listedIn } from "../../core/state/table.js"
import type { IndexedView } from "../../core/state/view.js"

/**
 * Reads every row, and compares the indexes with the rows and values that they list. Returns a sentence for each difference. `onRow` is
 * called at each row, to show progress.
 */
export function faultsIn(view: IndexedView, tables: readonly AnyTable[], onRow: () => void = () => {}): string[] {
  const faults: string[] = []
  /** Number of rows that each index must have. All expected rows are found, so any further row is stale. */
  const due = new Map<AnyTable, number>()
  for (const table of tables) {
    for (const { table: index } of table.indexes) due.set(index, due.get(index) ?? 0)
    for (const [key, value] of view.rows(table)) {
      onRow()
      const text = table.key.toText(key)
      for (const index of table.indexes) {
        const texts = index.keysOf(text, value)
        due.set(index.table, (due.get(index.table) ?? 0) + texts.length)
        if (texts.length > 0) faults.push(...faultsOf(view, index, texts, { value, source: table.name }))
      }
    }
  }
  for (const [index, rows] of due) if ([...view.rows(index)].length !== rows) faults.push(...staleRows(view, index, tables))
  return faults
}

/** Returns the faults of the keys under which an index must list a row. */
function faultsOf<V>(
  view: IndexedView,
  index: Index<V>,
  keys: readonly string[],
  { value, source }: { readonly value: V; readonly source: string },
): string[] {
  const { key, value: codec } = index.table
  const due = listedIn(index, value)
  const bytes = encode(codec, due)
  return keys.flatMap((text) => {
    const listed = view.get(index.table, key.fromText(text))
    if (listed !== undefined && equalBytes(encode(codec, listed), bytes)) return []
    return [rowFault(view, index.table, key.fromText(text), { source, due })]
  })
}

/** Returns the faults of the rows of an index that list no row. */
function staleRows(view: IndexedView, index: AnyTable, tables: readonly AnyTable[]): string[] {
  const due = new Set<string>()
  const owners = tables.filter(({ indexes }) => indexes.some(({ table }) => table === index))
  for (const owner of owners)
    for (const [key, value] of view.rows(owner))
      for (const each of owner.indexes)
        if (each.table === index) for (const text of each.keysOf(owner.key.toText(key), value)) due.add(text)
  const source = owners.map(({ name }) => name).join(" and ")
  const stale = [...view.rows(index)].filter(([key]) => !due.has(index.key.toText(key)))
  return stale.map(([key]) => rowFault(view, index, key, { source, due: undefined }))
}
