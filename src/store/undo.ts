import type { AnyTable } from "../core/state/table.js"
import type { Edit, Edits } from "../core/state/view.js"
import { storeError } from "./errors.js"
import type { OldValue } from "./indexes.js"

type OldRows = Map<AnyTable, Map<string, Edit>>

interface Mark {
  readonly number: number
  /** Old values of the rows that changed between this mark and the next. */
  readonly before: OldRows
}

/** Undo log of a store: the old values of all rows that changed since each mark. */
export class Undo {
  readonly #isBesideChain: (table: AnyTable) => boolean
  readonly #marks: Mark[] = []
  #next = 1

  constructor(isBesideChain: (table: AnyTable) => boolean) {
    this.#isBesideChain = isBesideChain
  }

  get marks(): readonly number[] {
    return this.#marks.map(({ number }) => number)
  }

  mark(): number {
    const number = this.#next++
    this.#marks.push({ number, before: new Map() })
    return number
  }

  /** Returns the present values of the rows that are about to change. Pass them to `record` once the change is committed. */
  captureBefore(edits: Edits, oldValue: OldValue): Edits {
    const captured: OldRows = new Map()
    const last = this.#marks.at(-1)
    if (!last) return captured
    for (const [table, rows] of edits) {
      if (this.#isBesideChain(table)) continue
      const known = last.before.get(table)
      const old = new Map<string, Edit>()
      for (const [text, { isNew }] of rows) {
        if (!known?.has(text)) old.set(text, { value: isNew ? undefined : oldValue(table, text), isNew: false })
      }
      captured.set(table, old)
    }
    return captured
  }

  record(captured: Edits): void {
    const before = this.#marks.at(-1)?.before
    if (before) merge(before, captured)
  }

  /** Returns the edits that restore the state of a mark. Throws `store.unknown_snapshot`. */
  editsTo(number: number): Edits {
    const at = this.#marks.findIndex((mark) => mark.number === number)
    if (at < 0) throw storeError("store.unknown_snapshot", { snapshot: number })
    const edits: OldRows = new Map()
    // If a row changed after several marks, its oldest value is restored, so it is set last.
    for (const { before } of this.#marks.slice(at).reverse()) merge(edits, before)
    return edits
  }

  /** Forgets the later marks, and the changes since this mark. */
  rewindTo(number: number): void {
    while (this.#marks.length > 0 && (this.#marks.at(-1) as Mark).number >= number) this.#marks.pop()
    this.#marks.push({ number, before: new Map() })
  }

  /** Forgets one mark. Later changes then belong to the mark before it. */
  drop(number: number): void {
    const at = this.#marks.findIndex((mark) => mark.number === number)
    const [dropped] = at < 0 ? [] : this.#marks.splice(at, 1)
    const earlier = this.#marks[at - 1]
    if (!dropped || !earlier) return
    const before: OldRows = new Map(dropped.before)
    // If a row changed after both marks, its older value is restored.
    merge(before, earlier.before)
    this.#marks[at - 1] = { number: earlier.number, before }
  }

  clear(): void {
    this.#marks.length = 0
  }
}

function merge(target: OldRows, source: Edits): void {
  for (const [table, rows] of source) {
    const own = target.get(table)
    if (!own) target.set(table, new Map(rows))
    else for (const [text, edit] of rows) own.set(text, edit)
  }
}
