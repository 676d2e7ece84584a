import { latin1 } from "../../../lib/bytes.js"
import { digitsOf, modelOf, type SetEra, spellsAt } from "../../../readmodel/setEra.js"
import { Raw } from "../../method.js"
import type { Dialect } from "../../schema/param.js"

/** What a dialect says of an era's entries: right of every height but for the weights that were others, and for those that were no members. */
interface Lines {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
  /** How many bytes of each line come behind the weight. */
  readonly tail: number
}

/** A validator set at a height of an era as JSON. */
export function printedSet(era: SetEra, height: bigint, dialect: Dialect): Raw {
  const spells = spellsAt(era, height)
  if (dialect === "avalanchego") return new Raw(membersAt(era, recordLines(era), spells, ["", "}"]))
  const weights = { bytes: era.lines, starts: era.lineStarts, tail: 0 }
  const validators = membersAt(era, weights, spells, ['{"validators":', '},"publicKeys":{'])
  return new Raw(validators, ...keysAt(era, spells), END)
}

const END: Uint8Array = Buffer.from("}}")

/** Lines that are copied at once, from one place to another, and the weight that comes behind them; nothing for an entry that was no member. */
interface Run {
  readonly start: number
  readonly end: number
  /** The entries whose weights are among them. */
  readonly first: number
  readonly next: number
  readonly behind: number | undefined
}

/**
 * The object of all members at a height, between two texts; its brace is opened here and closed by the second text. Lines are copied
 * in long runs and the weights then written over: 1,500 members in 0.03 ms, where line by line takes 0.2.
 */
function membersAt(era: SetEra, lines: Lines, spells: Uint32Array, [before, after]: readonly [string, string]): Uint8Array {
  const runs = runsOf(era, lines, spells)
  let size = 0
  for (const { start, end, behind } of runs) size += end - start + (behind === undefined ? 0 : digitsOf(era, behind))
  const out = Buffer.allocUnsafe(before.length + Math.max(size, 1) + after.length)
  const opening = out.write(before, "latin1")
  const digits = new Digits(era, out)
  let at = opening
  for (const run of runs) {
    out.set(lines.bytes.subarray(run.start, run.end), at)
    writeWeights(era, lines, spells, run, digits, at - run.start)
    at += run.end - run.start
    if (run.behind === undefined) continue
    digits.write(run.behind, at)
    at += digitsOf(era, run.behind)
  }
  // The brace takes the place of the first comma.
  out.write("{", opening, "latin1")
  out.write(after, Math.max(at, opening + 1), "latin1")
  return out
}

/** A run goes on until a weight has more or fewer digits than its model, or is missing. */
function runsOf(era: SetEra, { bytes, starts, tail }: Lines, spells: Uint32Array): readonly Run[] {
  const runs: Run[] = []
  let [start, first] = [0, 0]
  for (let entry = 0; entry < spells.length; entry++) {
    const spell = spells[entry] as number
    const model = modelOf(era, entry)
    if (spell === model) continue
    const digits = digitsOf(era, spell)
    if (digits === digitsOf(era, model)) continue
    const lineEnd = starts[entry + 1] as number
    if (digits === 0) runs.push({ start, end: starts[entry] as number, first, next: entry, behind: undefined })
    else runs.push({ start, end: lineEnd - tail - digitsOf(era, model), first, next: entry, behind: spell })
    start = digits === 0 ? lineEnd : lineEnd - tail
    first = entry + 1
  }
  runs.push({ start, end: bytes.length, first, next: spells.length, behind: undefined })
  return runs
}

/** Writes the weights of a run that are not those of their models; the run lies so much further on now. */
function writeWeights(
  era: SetEra,
  { starts, tail }: Lines,
  spells: Uint32Array,
  { first, next }: Run,
  out: Digits,
  shift: number,
): void {
  for (let entry = first; entry < next; entry++) {
    const spell = spells[entry] as number
    if (spell !== modelOf(era, entry)) out.write(spell, (starts[entry + 1] as number) - tail - digitsOf(era, spell) + shift)
  }
}

/** Writes weights of an era's spells into an answer. */
class Digits {
  readonly #starts: Uint32Array
  readonly #from: DataView
  readonly #to: DataView

  constructor({ digits, digitStarts }: SetEra, { buffer, byteOffset, length }: Uint8Array) {
    this.#starts = digitStarts
    this.#from = new DataView(digits.buffer, digits.byteOffset, digits.length)
    this.#to = new DataView(buffer, byteOffset, length)
  }

  /** Four digits at a time, the last four perhaps once more: that is four times as fast as one by one, and those ten times as fast as `set()`. */
  write(spell: number, at: number): void {
    const start = this.#starts[spell] as number
    const size = (this.#starts[spell + 1] as number) - start
    if (size < 4) for (let i = 0; i < size; i++) this.#to.setUint8(at + i, this.#from.getUint8(start + i))
    else {
      for (let i = 0; i < size - 4; i += 4) this.#to.setUint32(at + i, this.#from.getUint32(start + i))
      this.#to.setUint32(at + size - 4, this.#from.getUint32(start + size - 4))
    }
  }
}

/** So many pieces are sent as they are; more are copied together. */
const MAX_PIECES = 32

/** The keys of those that were members, without the first comma: what lies between those that were none, which are few. */
function keysAt(era: SetEra, spells: Uint32Array): readonly Uint8Array[] {
  const { keyLines, keyStarts } = era
  const pieces: Uint8Array[] = []
  let start = 0
  const cut = (end: number): void => {
    if (end > start) pieces.push(keyLines.subarray(pieces.length === 0 ? start + 1 : start, end))
  }
  for (let entry = 0; entry < spells.length; entry++) {
    if (digitsOf(era, spells[entry] as number) > 0) continue
    cut(keyStarts[entry] as number)
    start = keyStarts[entry + 1] as number
  }
  cut(keyLines.length)
  return pieces.length > MAX_PIECES ? [Buffer.concat(pieces)] : pieces
}

const recordsOfEras = new WeakMap<SetEra, Lines>()

/** Key and weight of each entry in one record, as AvalancheGo has it. */
function recordLines(era: SetEra): Lines {
  const known = recordsOfEras.get(era)
  if (known) return known
  const [lines, keyLines] = [latin1(era.lines), latin1(era.keyLines)]
  const starts = new Uint32Array(era.lineStarts.length)
  let text = ""
  for (let entry = 0; entry + 1 < starts.length; entry++) {
    const [start, end] = [era.lineStarts[entry] as number, era.lineStarts[entry + 1] as number]
    const [keyStart, keyEnd] = [era.keyStarts[entry] as number, era.keyStarts[entry + 1] as number]
    const weight = end - digitsOf(era, modelOf(era, entry))
    // Both lines begin with the name.
    const key = keyStart === keyEnd ? null : keyLines.slice(keyStart + weight - start, keyEnd)
    text += `${lines.slice(start, weight)}{"publicKey":${key},"weight":"${lines.slice(weight, end)}"}`
    starts[entry + 1] = text.length
  }
  const made = { bytes: Buffer.from(text, "latin1"), starts, tail: '"}'.length }
  recordsOfEras.set(era, made)
  return made
}
