import { encode } from "../../core/codec/decode.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { rowFault } from "../../core/state/rowFault.js"
import { type AnyTable, isPrimary, type Table } from "../../core/state/table.js"
import type { View } from "../../core/state/view.js"
import { nodeError } from "../../datadir/errors.js"

/**
 * Compares the rows of two states in these tables, except for the indexes and the skipped ones. Throws `node.damaged` with the first row that
 * they do not have in common: its table, its key, both values and its block.
 */
export function compareRows(kept: View, replayed: View, tables: readonly AnyTable[], skipped: readonly AnyTable[] = []): void {
  for (const table of tables.filter(isPrimary)) {
    if (skipped.includes(table)) continue
    const others = replayed.rows(table)[Symbol.iterator]()
    let other = others.next()
    const text = () => (other.done ? undefined : table.key.toText(other.value[0]))
    for (const [key, value] of kept.rows(table)) {
      const own = table.key.toText(key)
      const due = text()
      if (due !== undefined && due < own) throw otherRow(kept, table, other.value[0], other.value[1])
      const isSame = due === own && equalBytes(encode(table.value, value), encode(table.value, other.value[1]))
      if (!isSame) throw otherRow(kept, table, key, due === own ? other.value[1] : undefined)
      other = others.next()
    }
    if (!other.done) throw otherRow(kept, table, other.value[0], other.value[1])
  }
}

/** Returns the refusal of a store whose row differs from that of the replayed blocks. */
export function otherRow<K, V>(kept: View, table: Table<K, V>, key: K, replayed: V | undefined) {
  return nodeError("node.damaged", { fault: rowFault(kept, table, key, { source: "replaying the blocks", due: replayed }) })
}
