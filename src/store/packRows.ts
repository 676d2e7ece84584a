import { Writer } from "../core/codec/writer.js"
import type { Edit } from "../core/state/view.js"
import type { CommitSize } from "./commitSize.js"
import type { LmdbTable } from "./lmdbTable.js"
import { DELETED, type PackedRows } from "./packedRows.js"

/** Encodes the changed rows of a table, and computes the bytes that they can add to the file. */
export function packRows(opened: LmdbTable, rows: ReadonlyMap<string, Edit>, growth: CommitSize): PackedRows {
  const { table, databaseName: database } = opened
  // Neighbouring rows share the work on their page.
  const texts = [...rows.keys()].sort()
  const sizes = new Uint32Array(texts.length)
  const writer = new Writer(VALUE_BYTES * texts.length)
  growth.begin(opened, texts.length)
  for (let i = 0; i < texts.length; i++) {
    const { value } = rows.get(texts[i] as string) as Edit
    if (value === undefined) {
      sizes[i] = DELETED
      continue
    }
    const start = writer.size
    // Most rows of an index have no value; their key contains everything.
    if (value !== null) table.value.write(writer, value)
    sizes[i] = growth.add(writer.size - start)
  }
  return { database, keys: texts.join(""), keyWidth: table.key.width, sizes, values: writer.done() }
}

/** The expected size of a value, bytes. The buffer grows if it is not enough. */
const VALUE_BYTES = 128
