import type { AnyTable } from "../state/table.js"
import type { View } from "../state/view.js"

/**
 * Reads every row and compares the indexes with the rows they lead to; a sentence for each that disagrees.
 * `onRow` is called at each row, for whoever shows how far it is.
 */
export function faultsIn(view: View, tables: readonly AnyTable[], onRow: () => void = () => {}): string[] {
  const faults: string[] = []
  /** How many rows each index must have: since all that are asked for are found, more would be stale ones. */
  const due = new Map<AnyTable, number>()
  for (const table of tables) {
    for (const { table: index } of table.indexes) due.set(index, due.get(index) ?? 0)
    for (const [key, value] of view.rows(table)) {
      onRow()
      const text = table.key.toText(key)
      for (const { table: index, keysOf } of table.indexes) {
        const texts = keysOf(text, value)
        due.set(index, (due.get(index) ?? 0) + texts.length)
        for (const each of texts) {
          if (view.get(index, index.key.fromText(each)) === undefined) faults.push(`${index.name} lacks ${each}`)
        }
      }
    }
  }
  for (const [index, rows] of due) {
    const found = [...view.rows(index)].length
    if (found !== rows) faults.push(`${index.name} has ${found} rows and should have ${rows}`)
  }
  return faults
}
