import { encode } from "../../core/codec/decode.js"
import { equalBytes } from "../../core/lib/bytes.js"
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
        if (texts.length > 0) faults.push(...faultsOf(view, index, texts, value))
      }
    }
  }
  for (const [index, rows] of due) {
    const found = [...view.rows(index)].length
    if (found !== rows) faults.push(`${index.name} has ${found} rows and should have ${rows}`)
  }
  return faults
}

/** Returns the faults of the keys under which an index must list a row. */
function faultsOf<V>(view: IndexedView, index: Index<V>, keys: readonly string[], value: V): string[] {
  const { name, key, value: codec } = index.table
  const due = encode(codec, listedIn(index, value))
  return keys.flatMap((text) => {
    const listed = view.get(index.table, key.fromText(text))
    if (listed === undefined) return [`${name} lacks ${text}`]
    return equalBytes(encode(codec, listed), due) ? [] : [`${name} lists something else under ${text}`]
  })
}
