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
}

/** The memory that an old row takes besides its bytes, roughly: 500,000 keys without a value took 158 MB, of which 16 were their bytes. */
const ROW_BYTES = 300

const sizeOf = (key: string, value: Uint8Array | undefined) => ROW_BYTES + key.length + (value?.length ?? 0)

const sizeOfAll = (rows: OldRows): number => [...rows].reduce((sum, [key, value]) => sum + sizeOf(key, value), 0)

/** The memory for the old rows of several databases. */
export class MarkRoom {
  readonly #maxBytes: number
  readonly #onFull: () => void
  #bytes = 0

  /** `onFull` is called after a write for whose old rows there is no room. It must forget marks. */
  constructor(maxBytes: number, onFull: () => void) {
    this.#maxBytes = maxBytes
    this.#onFull = onFull
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Takes bytes, or gives them back if they are negative. */
  take(bytes: number): void {
    this.#bytes += bytes
    if (bytes > 0 && this.#bytes > this.#maxBytes) this.#onFull()
  }
}

const copyOf = (value: Uint8Array | undefined) => value && Uint8Array.from(value)

/**
 * A database that can return to marked moments. The marks end with the process. A revert is planned first, and carried out when the P-Chain has
 * been reverted; the plan is kept in the database, so that a node that was killed in between finishes it, or forgets it.
 */
export class RevertibleDatabase implements PluginDatabase {
  readonly #rows: PluginDatabase
  readonly #room: MarkRoom
  #marks: Mark[] = []

  constructor(rows: PluginDatabase, room: MarkRoom) {
    this.#rows = rows
    this.#room = room
  }

  /** Marks the present moment. Numbers ascend. */
  mark(number: number): void {
    const notes = CHAIN_NOTES.map((name) => copyOf(this.#rows.note(name)) ?? new Uint8Array(0))
    this.#marks.push({ number, notes, before: new Map() })
  }

  /** Forgets all marks but these. */
  keepMarks(numbers: readonly number[]): void {
    const kept: Mark[] = []
    for (const mark of this.#marks) {
      const earlier = kept.at(-1)
      if (numbers.includes(mark.number)) kept.push(mark)
      else {
        const merged = earlier ? sizeOfAll(earlier.before) : 0
        // If a row changed after both marks, its older value is put back.
        if (earlier) earlier.before = new Map([...mark.before, ...earlier.before])
        this.#room.take((earlier ? sizeOfAll(earlier.before) : 0) - merged - sizeOfAll(mark.before))
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
    for (const { before } of this.#marks.filter((mark) => mark.number >= number)) this.#room.take(-sizeOfAll(before))
    this.#marks = this.#marks.filter((mark) => mark.number <= number)
    const last = this.#marks.at(-1)
    if (last?.number === number) last.before = new Map()
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
    for (const [text, value] of old) last.before.set(text, value)
    this.#room.take(old.reduce((sum, [text, value]) => sum + sizeOf(text, value), 0))
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
