import { latin1 } from "../../core/lib/bytes.js"
import type { Changes, NoteName, PluginDatabase, Row } from "./pluginDatabase.js"
import { SortedRows } from "./sortedRows.js"

/** The memory that a row takes besides its bytes, roughly. */
const ROW_BYTES = 100

/** A database in memory, for chains that leave nothing behind. */
export class MemoryDatabase implements PluginDatabase {
  #rows = new SortedRows()
  readonly #maxBytes: number
  readonly #notes = new Map<NoteName, Uint8Array | undefined>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#rows.get(latin1(key))
  }

  note(name: NoteName): Uint8Array | undefined {
    return this.#notes.get(name)
  }

  setNote(name: NoteName, value: Uint8Array | undefined): void {
    this.#notes.set(name, value)
  }

  write({ puts, deletes }: Changes): void {
    const added = puts.reduce((sum, { key, value }) => sum + key.length + value.length + ROW_BYTES, 0)
    if (this.#bytes + added > this.#maxBytes) throw new Error(`the database takes more than ${this.#maxBytes} bytes`)
    for (const text of deletes.map(({ key }) => latin1(key))) this.#free(text, this.#rows.delete(text))
    for (const { key, value } of puts) {
      const text = latin1(key)
      // The bytes are a part of a larger message, which would stay in memory with them.
      this.#free(text, this.#rows.set(text, Uint8Array.from(value)))
      this.#bytes += text.length + value.length + ROW_BYTES
    }
  }

  rows(start: Uint8Array, prefix: Uint8Array): Iterator<Row, undefined> {
    return this.#rows.rows(start, prefix)
  }

  size(): number {
    return this.#bytes
  }

  async close(): Promise<void> {
    this.#rows = new SortedRows()
  }

  /** Gives back the room of the old value of a row, if it had one. */
  #free(key: string, old: Uint8Array | undefined): void {
    if (old) this.#bytes -= key.length + old.length + ROW_BYTES
  }
}
