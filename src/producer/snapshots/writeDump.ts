import { createHash } from "node:crypto"
import { once } from "node:events"
import { setImmediate } from "node:timers/promises"
import { createGzip } from "node:zlib"
import { encode } from "../../core/codec/decode.js"
import { list } from "../../core/codec/list.js"
import { bytes, str } from "../../core/codec/primitives.js"
import { Writer } from "../../core/codec/writer.js"
import { concatBytes, hexToBytes } from "../../core/lib/bytes.js"
import type { AnyTable } from "../../core/state/table.js"
import type { IndexedView } from "../../core/state/view.js"
import { type Dump, dumpHead, endOf, MAGIC, VERSION } from "./dump.js"

/** Number of bytes that are compressed at a time. */
const CHUNK_BYTES = 1 << 17

/** The source of a dump. Its rows are read when they are written. */
export interface DumpSource extends Omit<Dump, "tables"> {
  readonly view: IndexedView
  readonly tables: readonly AnyTable[]
  /** Number of rows by table name. */
  readonly rows: Readonly<Record<string, number>>
}

/** Writes a dump row by row. Besides the packed bytes at most one chunk is in memory, and other work runs between two chunks. */
export async function writeDump(source: DumpSource): Promise<Uint8Array> {
  const gzip = createGzip({ level: 3 })
  const packed: Uint8Array[] = [MAGIC, Uint8Array.of(VERSION)]
  const digest = createHash("sha256")
  gzip.on("data", (chunk: Uint8Array) => {
    packed.push(chunk)
    digest.update(chunk)
  })
  const ended = once(gzip, "end")
  for (const chunk of chunksOf(source)) {
    if (!gzip.write(chunk)) await once(gzip, "drain")
    await setImmediate()
  }
  gzip.end()
  await ended
  return concatBytes(...packed, endOf(digest.digest()))
}

/** Returns the bytes of a dump in pieces. */
function* chunksOf({ view, tables, rows, waiting, ...head }: DumpSource): Iterable<Uint8Array> {
  let writer = new Writer(CHUNK_BYTES * 2)
  writer.bytes(encode(dumpHead, head))
  writer.u32(tables.length)
  for (const table of tables) {
    const count = rows[table.name] ?? 0
    str.write(writer, table.name)
    writer.u32(count)
    let written = 0
    for (const [key, value] of view.rows(table)) {
      bytes.write(writer, hexToBytes(table.key.toText(key)))
      bytes.write(writer, encode(table.value, value))
      written++
      if (writer.size < CHUNK_BYTES) continue
      yield writer.done()
      writer = new Writer(CHUNK_BYTES * 2)
    }
    if (written !== count) throw new Error(`${table.name} has ${written} rows, and ${count} were counted`)
  }
  writer.bytes(encode(list(bytes), waiting))
  yield writer.done()
}
