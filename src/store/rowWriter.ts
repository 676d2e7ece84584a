import type { Edit } from "../core/state/view.js"
import { CommitSize } from "./commitSize.js"
import { storeError } from "./errors.js"
import type { LmdbConnection } from "./lmdbConnection.js"
import type { LmdbTable } from "./lmdbTable.js"

const ROW_BYTES = 4 * 4096
/** Rows that are written in one nested transaction, see `RowWriter.write`. */
export const PART_ROWS = 1000
/** The address space beyond twice the size of the file that LMDB may map, because it rounds sizes up. */
const SPARE = 1 << 20

/** Writes the rows of one commit inside its transaction, and counts their size. */
export class RowWriter {
  readonly growth = new CommitSize()
  readonly #connection: LmdbConnection
  readonly #room: FileRoom

  constructor(connection: LmdbConnection, room: FileRoom) {
    this.#connection = connection
    this.#room = room
  }

  /**
   * Writes rows in the order of their keys, so that neighbouring rows share the work on their page. Many rows are written in parts, each a
   * nested transaction. LMDB inserts every changed page into a sorted list, and the list of a part is short: a group of 20,000 blocks over
   * a million UTXOs takes a third of the time.
   */
  write(opened: LmdbTable, rows: ReadonlyMap<string, Edit>): void {
    const texts = [...rows.keys()].sort()
    this.growth.begin(opened, texts.length)
    const writePart = (from: number) => {
      for (const text of texts.slice(from, from + PART_ROWS)) {
        const { value } = rows.get(text) as Edit
        if (value === undefined) opened.remove(text)
        else this.#room.take(this.growth.add(opened.put(text, value)))
      }
    }
    const { root } = this.#connection
    if (texts.length <= PART_ROWS) writePart(0)
    else for (let from = 0; from < texts.length; from += PART_ROWS) root.transactionSync(() => writePart(from))
  }
}

/**
 * Keeps the file of a store below its limit, and raises the limit if the process has address space to spare. LMDB itself would exceed it,
 * and crash. A row seldom takes more than a new leaf, a split one and a branch or two, so counting four pages is safe.
 */
export class FileRoom {
  readonly #connection: LmdbConnection
  /** Bytes that commits may still add before the size must be read again. */
  #room = 0

  constructor(connection: LmdbConnection) {
    this.#connection = connection
  }

  /** Reserves space for a row with a value of this size. Throws `store.full`. */
  take(bytes: number): void {
    this.#room -= bytes + ROW_BYTES
    if (this.#room >= 0) return
    const { dir, reserved } = this.#connection.parts
    const { lastPageNumber, pageSize } = this.#connection.stats()
    const used = (lastPageNumber + 1) * pageSize + bytes + ROW_BYTES
    // LMDB maps twice the size that it needs.
    if (used > reserved.bytes && !reserved.grow(2 * used + SPARE))
      throw storeError("store.full", { dir, maxBytes: reserved.bytes })
    this.#room = reserved.bytes - used
  }
}
