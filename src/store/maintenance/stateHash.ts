import { createHash } from "node:crypto"
import { encode } from "../../core/codec/decode.js"
import { Writer } from "../../core/codec/writer.js"
import { hexToBytes, utf8 } from "../../core/lib/bytes.js"
import { type AnyTable, isPrimary } from "../../core/state/table.js"
import type { View } from "../../core/state/view.js"

const CHUNK_BYTES = 65_536

/**
 * Returns SHA-256 over all rows of these tables, as hex: tables in the order of their names (each with its length, then the rows, then four
 * zero bytes), rows in the order of their keys (key and value with their lengths). Index tables are omitted, because they are derived from
 * the rows. Two stores with the same hash have the same state.
 */
export function stateHash(view: View, tables: readonly AnyTable[]): string {
  const hash = createHash("sha256")
  let writer = new Writer(CHUNK_BYTES * 2)
  const write = (bytes: Uint8Array) => {
    writer.u32(bytes.length)
    writer.bytes(bytes)
    if (writer.size < CHUNK_BYTES) return
    hash.update(writer.done())
    writer = new Writer(CHUNK_BYTES * 2)
  }
  for (const table of tables.filter(isPrimary).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    write(utf8(table.name))
    for (const [key, value] of view.rows(table)) {
      write(hexToBytes(table.key.toText(key)))
      write(encode(table.value, value))
    }
    writer.u32(0)
  }
  return hash.update(writer.done()).digest("hex")
}
