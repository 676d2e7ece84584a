import { MAX64 } from "../../../core/lib/math64.js"
import { weightAt } from "../../../core/readmodel/validatorSets/setSegment.js"
import { PrintedJson } from "../../../jsonrpc/printedJson.js"
import type { Dialect } from "../../../jsonrpc/schema/param.js"
import type { NamedRow } from "./segmentNames.js"

/** Format in which a dialect prints a validator as a member of a JSON object. */
const lineOf: Readonly<Record<Dialect, (row: NamedRow, weight: bigint) => string>> = {
  contract: ({ name }, weight) => `,${name}:${weight}`,
  avalanchego: ({ name, key }, weight) => `,${name}:{"publicKey":${key ?? null},"weight":"${weight}"}`,
}

const FRAMES = {
  contract: { open: Buffer.from('{"validators":'), close: Buffer.from('},"publicKeys":{') },
  avalanchego: { open: Buffer.from(""), close: Buffer.from("}") },
} as const

/** Rows in a block. Fewer make a set slower to copy together, more make it slower to print a block again that one row changed. */
const BLOCK_ROWS = 16

/** Approximate bytes of a JavaScript object besides the bytes it points to. */
const OBJECT_BYTES = 120

/** As many pieces of an answer are sent as they are; more are copied together. */
const MAX_PIECES = 32

/**
 * Prints the validator sets of a segment's heights. The rows are divided into blocks, and the text of a block is printed once for all heights
 * between two of its changes: a set of 1,500 is copied together from about 100 texts. The schema of `getValidatorsAt` is its test.
 */
export class SetPrinter {
  /** Bytes. */
  readonly size: number
  readonly #dialect: Dialect
  readonly #blocks: readonly Block[]
  /** The keys of all rows, each as a member of a JSON object with a comma in front. */
  readonly #keys: Uint8Array

  /** `rows`: all rows of the segment. */
  constructor(rows: readonly NamedRow[], dialect: Dialect) {
    const keys = new KeyTexts(dialect === "contract" ? rows : [])
    const blocks: Block[] = []
    for (let i = 0; i < rows.length; i += BLOCK_ROWS) blocks.push(new Block(rows.slice(i, i + BLOCK_ROWS), dialect, keys))
    this.#dialect = dialect
    this.#blocks = blocks
    this.#keys = Buffer.from(keys.text, "latin1")
    this.size = this.#keys.length + blocks.reduce((sum, { size }) => sum + size, 0)
  }

  /** The set at a height of the segment as JSON. */
  print(height: bigint): PrintedJson {
    const texts = this.#blocks.map((block) => block.textAt(Number(height)))
    const members = this.#joined(texts)
    if (this.#dialect === "avalanchego") return new PrintedJson(members)
    return new PrintedJson(members, ...this.#keysWithout(texts.flatMap(({ absent }) => absent)), CLOSE)
  }

  /** Returns the members of the set as a JSON object, with the text around it. */
  #joined(texts: readonly BlockText[]): Uint8Array {
    const { open, close } = FRAMES[this.#dialect]
    const length = texts.reduce((sum, { lines }) => sum + lines.length, 0)
    // The brace takes the place of the first comma.
    const out = Buffer.allocUnsafe(open.length + Math.max(length, 1) + close.length)
    out.set(open)
    let at = open.length
    for (const { lines } of texts) {
      out.set(lines, at)
      at += lines.length
    }
    out[open.length] = BRACE
    out.set(close, out.length - close.length)
    return out
  }

  /** The keys of all rows but these, without the first comma. */
  #keysWithout(absent: readonly KeyPlace[]): readonly Uint8Array[] {
    const pieces: Uint8Array[] = []
    let start = 0
    const cut = (end: number): void => {
      if (end > start) pieces.push(this.#keys.subarray(pieces.length === 0 ? start + 1 : start, end))
    }
    for (const place of absent) {
      cut(place.start)
      start = place.end
    }
    cut(this.#keys.length)
    return pieces.length > MAX_PIECES ? [Buffer.concat(pieces)] : pieces
  }
}

const BRACE = 0x7b
const CLOSE: Uint8Array = Buffer.from("}}")

/** Place of a row's key in the text of all keys. */
interface KeyPlace {
  readonly start: number
  readonly end: number
}

/** The keys of rows as members of a JSON object, each with a comma in front. */
class KeyTexts {
  readonly text: string
  readonly #places = new Map<NamedRow, KeyPlace>()

  constructor(rows: readonly NamedRow[]) {
    let text = ""
    for (const row of rows) {
      const start = text.length
      if (row.key) text += `,${row.name}:${row.key}`
      this.#places.set(row, { start, end: text.length })
    }
    this.text = text
  }

  /** `undefined` where keys are not listed. */
  placeOf(row: NamedRow): KeyPlace | undefined {
    return this.#places.get(row)
  }
}

/** The text of a block between two of its changes. */
interface BlockText {
  /** Members of a JSON object, each with a comma in front. */
  readonly lines: Uint8Array
  /** The keys of the rows that were not members. */
  readonly absent: readonly KeyPlace[]
}

/** Some rows of a segment, printed together when they are first asked for. */
class Block {
  /** Bytes of all texts at most. */
  readonly size: number
  readonly #rows: readonly NamedRow[]
  readonly #dialect: Dialect
  readonly #keys: KeyTexts
  /** The heights from which the texts hold, newest first. */
  readonly #since: readonly number[]
  readonly #texts: (BlockText | undefined)[]

  constructor(rows: readonly NamedRow[], dialect: Dialect, keys: KeyTexts) {
    this.#rows = rows
    this.#dialect = dialect
    this.#keys = keys
    this.#since = [...new Set(rows.flatMap(({ spans }) => spans.map(({ since }) => Number(since))))].sort((a, b) => b - a)
    this.#texts = this.#since.map(() => undefined)
    const longest = rows.reduce((sum, row) => sum + lineOf[dialect](row, MAX64).length, 0)
    this.size = this.#since.length * (longest + OBJECT_BYTES) + rows.length * OBJECT_BYTES
  }

  /** The text at a height of the segment. */
  textAt(height: number): BlockText {
    let i = 0
    while ((this.#since[i] as number) > height) i++
    const known = this.#texts[i]
    if (known) return known
    const text = this.#print(BigInt(this.#since[i] as number))
    this.#texts[i] = text
    return text
  }

  #print(height: bigint): BlockText {
    const absent: KeyPlace[] = []
    let lines = ""
    for (const row of this.#rows) {
      const weight = weightAt(row, height)
      if (weight > 0n) {
        lines += lineOf[this.#dialect](row, weight)
        continue
      }
      const place = this.#keys.placeOf(row)
      if (place) absent.push(place)
    }
    return { lines: Buffer.from(lines, "latin1"), absent }
  }
}
