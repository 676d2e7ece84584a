import { decode, encode } from "../../core/codec/decode.js"
import { list } from "../../core/codec/list.js"
import { bytes, str } from "../../core/codec/primitives.js"
import type { TypeOf } from "../../core/codec/schema.js"
import { struct } from "../../core/codec/struct.js"
import { latin1 } from "../../core/lib/bytes.js"
import { CHAIN_NOTES, type Changes, type NoteName, type PluginDatabase, type Row } from "./pluginDatabase.js"

/** A revert that is about to happen: its name, the rows to put back, and the notes about the chain of then; empty if there was none. */
const plannedRevert = struct({
  name: str,
  puts: list(struct({ key: bytes, value: bytes })),
  deletes: list(struct({ key: bytes })),
  notes: list(bytes),
})

/** The old values by key since a mark. Each character of a key is one byte. */
type OldRows = Map<string, Uint8Array | undefined>

interface Mark {
  readonly number: number
  /** The notes about the chain; empty if there was none. */
  readonly notes: readonly Uint8Array[]
  before: OldRows
  /** The bytes of the old rows. */
  bytes: number
}

const sizeOf = (key: string, value: Uint8Array | undefined) => key.length + (value?.length ?? 0)

const copyOf = (value: Uint8Array | undefined) => value && Uint8Array.from(value)

/**
 * A database that can return to marked moments. The marks end with the process. A revert is planned first, and carried out when the P-Chain has
 * been reverted; the plan is kept in the database, so that a node that was killed in between finishes it, or forgets it.
 */
export class RevertibleDatabase implements PluginDatabase {
  readonly #rows: PluginDatabase
  #marks: Mark[] = []

  constructor(rows: PluginDatabase) {
    this.#rows = rows
  }

  /** Marks the present moment. Numbers ascend. */
  mark(number: number): void {
    const notes = CHAIN_NOTES.map((name) => copyOf(this.#rows.note(name)) ?? new Uint8Array(0))
    this.#marks.push({ number, notes, before: new Map(), bytes: 0 })
  }

  /** Forgets all marks but these. */
  keepMarks(numbers: readonly number[]): void {
    const kept: Mark[] = []
    for (const mark of this.#marks) {
      const earlier = kept.at(-1)
      if (numbers.includes(mark.number)) kept.push(mark)
      // If a row changed after both marks, its older value is put back.
      else if (earlier) {
        earlier.before = new Map([...mark.before, ...earlier.before])
        earlier.bytes = [...earlier.before].reduce((sum, [key, value]) => sum + sizeOf(key, value), 0)
      }
    }
    this.#marks = kept
  }

  /** Plans to return to a mark. Later marks stay until the end of the revert. */
  planRevert(number: number, name: string): void {
    const since = this.#marks.filter((mark) => mark.number >= number)
    const rows = new Map(since.toReversed().flatMap(({ before }) => [...before]))
    const puts: { key: Uint8Array; value: Uint8Array }[] = []
    const deletes: { key: Uint8Array }[] = []
    for (const [text, value] of rows) {
      const key = Buffer.from(text, "latin1")
      if (value === undefined) deletes.push({ key })
      else puts.push({ key, value })
    }
    const notes = since[0]?.notes ?? []
    this.#rows.setNote("revert", encode(plannedRevert, { name, puts, deletes, notes }))
  }

  /** Carries out the planned revert if it has this name, and forgets it otherwise. Returns whether it was carried out. */
  endRevert(name: string | undefined): boolean {
    const planned = this.#rows.note("revert")
    const plan: TypeOf<typeof plannedRevert> | undefined = planned && decode(plannedRevert, planned)
    const isDone = plan !== undefined && plan.name === name
    if (isDone) {
      this.#rows.write(plan)
      for (const [i, note] of CHAIN_NOTES.entries()) this.#rows.setNote(note, plan.notes[i]?.length ? plan.notes[i] : undefined)
    }
    if (plan) this.#rows.setNote("revert", undefined)
    return isDone
  }

  /** Forgets the changes since a mark, and later marks, after the database has returned to it. */
  rewindTo(number: number): void {
    this.#marks = this.#marks.filter((mark) => mark.number <= number)
    const last = this.#marks.at(-1)
    if (!last) return
    last.before = new Map()
    last.bytes = 0
  }

  /** The number of bytes of old rows that are kept in memory for the marks. */
  get keptBytes(): number {
    return this.#marks.reduce((sum, { bytes: own }) => sum + own, 0)
  }

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#rows.get(key)
  }

  write(changes: Changes): void {
    const last = this.#marks.at(-1)
    const changed = last ? [...changes.puts, ...changes.deletes] : []
    const old = changed
      .map(({ key }) => [latin1(key), key] as const)
      .filter(([text]) => !last?.before.has(text))
      .map(([text, key]) => [text, copyOf(this.#rows.get(key))] as const)
    this.#rows.write(changes)
    if (!last) return
    for (const [text, value] of old) {
      last.before.set(text, value)
      last.bytes += sizeOf(text, value)
    }
  }

  rows(start: Uint8Array, prefix: Uint8Array): Iterator<Row, undefined> {
    return this.#rows.rows(start, prefix)
  }

  note(name: NoteName): Uint8Array | undefined {
    return this.#rows.note(name)
  }

  setNote(name: NoteName, value: Uint8Array | undefined): void {
    this.#rows.setNote(name, value)
  }

  size(): number {
    return this.#rows.size()
  }

  close(): Promise<void> {
    return this.#rows.close()
  }
}
