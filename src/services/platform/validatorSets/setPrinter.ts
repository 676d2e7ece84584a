import { PrintedJson } from "../../../jsonrpc/printedJson.js"
import type { Dialect } from "../../../jsonrpc/schema/param.js"
import type { NamedRow } from "./segmentNames.js"
import { type WeightLine, WeightLines } from "./weightLines.js"

/** Format in which a dialect prints a validator as a member of a JSON object. */
const lineOf: Readonly<Record<Dialect, (row: NamedRow) => WeightLine>> = {
  contract: (row) => ({ row, before: `,${row.name}:`, after: "" }),
  avalanchego: (row) => ({ row, before: `,${row.name}:{"publicKey":${row.key ?? null},"weight":"`, after: '"}' }),
}

const FRAMES = {
  contract: { open: Buffer.from('{"validators":{'), close: Buffer.from('},"publicKeys":{') },
  avalanchego: { open: Buffer.from("{"), close: Buffer.from("}") },
} as const

/** The maximum number of pieces of an answer that are sent separately. More pieces are copied into one. */
const MAX_PIECES = 32

const CLOSE: Uint8Array = Buffer.from("}}")

/** Prints the validator sets of a segment's heights. A test compares it with the schema of `getValidatorsAt`. */
export class SetPrinter {
  /** The size in memory, bytes. */
  readonly size: number
  readonly #dialect: Dialect
  readonly #lines: WeightLines
  /** The keys of all rows, each as a member of a JSON object with a leading comma. */
  readonly #keys: Uint8Array
  /** The position of each row's key, and at the end the length of all keys. */
  readonly #keyStarts: Uint32Array

  /** `rows` are all rows of the segment. */
  constructor(rows: readonly NamedRow[], dialect: Dialect) {
    this.#dialect = dialect
    this.#lines = new WeightLines(rows.map(lineOf[dialect]))
    this.#keyStarts = new Uint32Array(rows.length + 1)
    let keys = ""
    for (const [i, { name, key }] of dialect === "contract" ? rows.entries() : []) {
      if (key) keys += `,${name}:${key}`
      this.#keyStarts[i + 1] = keys.length
    }
    this.#keys = Buffer.from(keys, "latin1")
    this.size = this.#lines.size + this.#keys.length + this.#keyStarts.byteLength
  }

  /** Prints the set at a height of the segment as JSON. */
  print(height: bigint): PrintedJson {
    const { open, close } = FRAMES[this.#dialect]
    const { bytes, absent } = this.#lines.at(height, open, close)
    if (this.#dialect === "avalanchego") return new PrintedJson(bytes)
    return new PrintedJson(bytes, ...this.#keysWithout(absent), CLOSE)
  }

  /** Returns the keys of all rows except these, without the first comma. */
  #keysWithout(absent: readonly number[]): readonly Uint8Array[] {
    const pieces: Uint8Array[] = []
    let start = 0
    const cut = (end: number): void => {
      if (end > start) pieces.push(this.#keys.subarray(pieces.length === 0 ? start + 1 : start, end))
    }
    for (const row of absent) {
      cut(this.#keyStarts[row] as number)
      start = this.#keyStarts[row + 1] as number
    }
    cut(this.#keys.length)
    return pieces.length > MAX_PIECES ? [Buffer.concat(pieces)] : pieces
  }
}
