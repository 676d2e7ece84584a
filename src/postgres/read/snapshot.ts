import { createHash } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import { decode, encode } from "../../core/codec/decode.js"
import { list } from "../../core/codec/list.js"
import { bytes, str, u32, u64 } from "../../core/codec/primitives.js"
import type { TypeOf } from "../../core/codec/schema.js"
import { struct } from "../../core/codec/struct.js"
import { hexToBytes, toHex } from "../../core/lib/bytes.js"
import type { AnyPrimaryTable, AnyTable } from "../../core/state/table.js"
import { tables } from "../../core/state/tables.js"
import type { Edit, Edits, View } from "../../core/state/view.js"
import { type ID, id } from "../../core/types/id.js"
import { postgresError } from "../errors.js"

/** The version of the format. */
const VERSION = 1

/** The first piece of a snapshot: its metadata, and the hash of the other pieces as they are stored. */
const snapshotHead = struct({ version: u32, readModel: str, height: u64, blockID: id, pieces: u32, hash: id })

/** Every other piece, packed: rows of one table in the order of their keys. */
const snapshotPiece = struct({ table: str, rows: list(struct({ key: bytes, value: bytes })) })

/** The approximate size of the rows of a piece before they are packed, bytes. */
const PIECE_BYTES = 1 << 20

const pack = promisify<Uint8Array, Buffer>(gzip)
const unpack = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip)

/** The maximum unpacked size of a piece, bytes. A value may be larger than `PIECE_BYTES`. */
const MAX_UNPACKED = 64 << 20

/** A state to be written as a snapshot. */
export interface SnapshotSource {
  readonly view: View
  readonly tables: readonly AnyPrimaryTable[]
  readonly readModel: string
}

/**
 * Writes the rows of a state in pieces, the head last with the number 0; the caller stores them as they are returned. At most one piece is
 * in memory, and other work runs between two pieces.
 */
export async function* snapshotPieces({ view, tables: all, readModel }: SnapshotSource): AsyncGenerator<SnapshotPiece, void> {
  const last = view.get(tables.lastAccepted, null)
  if (!last) throw new Error("the state has no last accepted block")
  const hash = createHash("sha256")
  let pieces = 0
  for (const piece of pieceRows(view, all)) {
    const packed = await pack(encode(snapshotPiece, piece))
    hash.update(packed)
    pieces++
    yield { piece: pieces, bytes: packed }
    await setImmediate()
  }
  const head = { version: VERSION, readModel, height: last.height, blockID: last.id, pieces, hash: hash.digest("hex") as ID }
  yield { piece: 0, bytes: encode(snapshotHead, head) }
}

export interface SnapshotPiece {
  readonly piece: number
  readonly bytes: Uint8Array
}

interface PieceRows {
  readonly table: string
  readonly rows: { readonly key: Uint8Array; readonly value: Uint8Array }[]
}

function* pieceRows(view: View, all: readonly AnyPrimaryTable[]): Iterable<PieceRows> {
  for (const table of all) yield* tableRows(table, view.rows(table))
  yield* tableRows(tables.txs, stakerTxs(view))
}

function* tableRows(table: AnyPrimaryTable, found: Iterable<readonly [unknown, unknown]>): Iterable<PieceRows> {
  let rows: PieceRows["rows"] = []
  let size = 0
  for (const [key, value] of found) {
    const row = { key: hexToBytes(table.key.toText(key)), value: encode(table.value, value) }
    rows.push(row)
    size += row.key.length + row.value.length
    if (size < PIECE_BYTES) continue
    yield { table: table.name, rows }
    rows = []
    size = 0
  }
  if (rows.length > 0) yield { table: table.name, rows }
}

/** Returns the transactions of current and pending stakers, which many answers about the current state need. */
function* stakerTxs(view: View): Iterable<readonly [ID, unknown]> {
  for (const table of [tables.currentStakers, tables.pendingStakers]) {
    for (const [{ txID }] of view.rows(table)) {
      const row = view.get(tables.txs, txID)
      if (row) yield [txID, row]
    }
  }
}

async function readPiece(packed: Uint8Array): Promise<TypeOf<typeof snapshotPiece>> {
  return decode(snapshotPiece, await unpack(packed, { maxOutputLength: MAX_UNPACKED }))
}

/** The content of a snapshot's first piece. */
export interface SnapshotHead {
  readonly readModel: string
  readonly height: bigint
  readonly blockID: ID
  readonly pieces: number
}

/** Reads the first piece of a snapshot; `undefined` if another version of this program wrote it. */
export function readSnapshotHead(head: Uint8Array): SnapshotHead | undefined {
  // The version is the first field, whatever follows it.
  if (head.length < 4 || Buffer.from(head.buffer, head.byteOffset).readUInt32BE(0) !== VERSION) return undefined
  return decode(snapshotHead, head)
}

/**
 * Reads the rows of a snapshot piece by piece. Throws `postgres.bad_snapshot` if they differ from those that were written. The last part is
 * returned only after the hash of all pieces was compared.
 */
export async function* snapshotRows(
  head: Uint8Array,
  pieces: AsyncIterable<Uint8Array>,
  all: readonly AnyTable[],
): AsyncGenerator<Edits, void> {
  const { pieces: count, hash: expected, height } = decode(snapshotHead, head)
  const refuse = (reason: string) => postgresError("postgres.bad_snapshot", { height, reason })
  const byName = new Map(all.map((table) => [table.name, table]))
  const hash = createHash("sha256")
  let read = 0
  let waiting: Edits | undefined
  for await (const packed of pieces) {
    hash.update(packed)
    read++
    const { table: name, rows } = await readPiece(packed).catch((error: Error) => {
      throw refuse(error.message)
    })
    const table = byName.get(name)
    if (!table) throw refuse(`unknown table ${name}`)
    if (waiting) yield waiting
    const decoded = rows.map(({ key, value }): [string, Edit] => [toHex(key), { value: decode(table.value, value), isNew: true }])
    waiting = new Map([[table, new Map(decoded)]])
  }
  if (read !== count) throw refuse(`${read} of ${count} pieces`)
  if (hash.digest("hex") !== expected) throw refuse("the hash differs")
  if (waiting) yield waiting
}
