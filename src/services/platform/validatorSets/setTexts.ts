import { digitsOf, type EraMoment, momentOf, type SetEra } from "../../../core/readmodel/sets/setEra.js"
import { Raw } from "../../../jsonrpc/method.js"
import type { Dialect } from "../../../jsonrpc/schema/param.js"
import { EraWords } from "./eraWords.js"

/** What a dialect says of an era's entries: right of every height but for the weights that were others, and for those that were no members. */
interface Lines {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
  /** How many bytes of each line come behind the weight. */
  readonly tail: number
}

/** A validator set at a height of an era as JSON. */
export function printedSet(era: SetEra, height: bigint, dialect: Dialect): Raw {
  const moment = momentOf(era, height)
  if (dialect === "avalanchego") return new Raw(membersAt(era, moment, recordLines(era), ["", "}"]))
  const weights = { bytes: era.lines, starts: era.lineStarts, tail: 0 }
  const validators = membersAt(era, moment, weights, ['{"validators":', '},"publicKeys":{'])
  return new Raw(validators, ...keysAt(era, moment), END)
}

const END: Uint8Array = Buffer.from("}}")

/**
 * The object of all members at a height, between two texts; its brace is opened here and closed by the second text. Lines are copied
 * at once as far as they are as long as they were, and then the weights are written over: several times as fast as line by line.
 */
function membersAt(
  era: SetEra,
  { spells, unlike }: EraMoment,
  lines: Lines,
  [before, after]: readonly [string, string],
): Uint8Array {
  const { bytes, starts, tail } = lines
  let most = before.length + bytes.length + after.length + 1
  for (const entry of unlike) most += digitsOf(era, spells[entry] as number)
  const out = Buffer.allocUnsafe(most)
  const digits = new Digits(era, out)
  const opening = out.write(before, "latin1")
  let at = opening
  let [from, first] = [0, 0]
  const copyLines = (end: number, next: number): void => {
    out.set(bytes.subarray(from, end), at)
    for (let entry = first; entry < next; entry++) {
      const spell = spells[entry] as number
      if (spell !== era.models[entry]) digits.writeBefore((starts[entry + 1] as number) - tail - from + at, spell)
    }
    at += end - from
  }
  for (const entry of unlike) {
    const spell = spells[entry] as number
    const size = digitsOf(era, spell)
    const lineEnd = starts[entry + 1] as number
    // One that was no member loses its line, another one its weight alone.
    copyLines(size === 0 ? (starts[entry] as number) : lineEnd - tail - digitsOf(era, era.models[entry] as number), entry)
    at += size
    digits.writeBefore(at, spell)
    from = size === 0 ? lineEnd : lineEnd - tail
    first = entry + 1
  }
  copyLines(bytes.length, spells.length)
  // The brace takes the place of the first comma.
  out.write("{", opening, "latin1")
  const end = Math.max(at, opening + 1) + out.write(after, Math.max(at, opening + 1), "latin1")
  return out.subarray(0, end)
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

  /** Four digits at a time, the first four perhaps twice: that is faster than one by one, and several times as fast as `set()`. */
  writeBefore(end: number, spell: number): void {
    const start = this.#starts[spell] as number
    const size = (this.#starts[spell + 1] as number) - start
    const shift = end - size - start
    let at = start + size
    if (size < 4) while (at > start) this.#to.setUint8(--at + shift, this.#from.getUint8(at))
    else {
      for (at -= 4; at > start; at -= 4) this.#to.setUint32(at + shift, this.#from.getUint32(at))
      this.#to.setUint32(start + shift, this.#from.getUint32(start))
    }
  }
}

/** So many pieces are sent as they are; more are copied together. */
const MAX_PIECES = 32

/** The keys of those that were members, without the first comma: what lies between those that were none, who are few. */
function keysAt(era: SetEra, { spells, unlike }: EraMoment): readonly Uint8Array[] {
  const { keyLines, keyStarts } = era
  const pieces: Uint8Array[] = []
  let start = 0
  const cut = (end: number): void => {
    if (end > start) pieces.push(keyLines.subarray(pieces.length === 0 ? start + 1 : start, end))
  }
  for (const entry of unlike) {
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
  const words = new EraWords(era, era.models)
  const starts = new Uint32Array(era.lineStarts.length)
  let text = ""
  for (let entry = 0; entry + 1 < starts.length; entry++) {
    text += `,${words.name(entry)}:{"publicKey":${words.key(entry) ?? null},"weight":"${words.weight(entry)}"}`
    starts[entry + 1] = text.length
  }
  const made = { bytes: Buffer.from(text, "latin1"), starts, tail: '"}'.length }
  recordsOfEras.set(era, made)
  return made
}
