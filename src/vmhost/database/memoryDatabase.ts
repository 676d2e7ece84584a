import { latin1 } from "../../core/lib/bytes.js"
import type { Changes, NoteName, PluginDatabase, Row } from "./pluginDatabase.js"

/** The memory that a row takes besides its bytes, roughly. */
const ROW_BYTES = 100

/** A database in memory, for chains that leave nothing behind. */
export class MemoryDatabase implements PluginDatabase {
  /** Each character of a key is one byte. */
  readonly #rows = new Map<string, Uint8Array>()
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
    for (const { key } of deletes) this.#delete(latin1(key))
    for (const { key, value } of puts) {
      const text = latin1(key)
      this.#delete(text)
      // The bytes are a part of a larger message, which would stay in memory with them.
      this.#rows.set(text, Uint8Array.from(value))
      this.#bytes += text.length + value.length + ROW_BYTES
    }
  }

  rows(start: Uint8Array, prefix: Uint8Array): Iterator<Row, undefined> {
    const [first, common] = [latin1(start), latin1(prefix)]
    const keys = [...this.#rows.keys()].filter((key) => key >= first && key.startsWith(common)).sort()
    const rows = keys.map((key): Row => [Buffer.from(key, "latin1"), this.#rows.get(key) as Uint8Array])
    return rows[Symbol.iterator]()
  }

  size(): number {
    return this.#bytes
  }

  async close(): Promise<void> {
    this.#rows.clear()
  }

  #delete(key: string): void {
    const value = this.#rows.get(key)
    if (value === undefined) return
    this.#rows.delete(key)
    this.#bytes -= key.length + value.length + ROW_BYTES
  }
}
