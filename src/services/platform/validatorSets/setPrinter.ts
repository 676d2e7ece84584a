import { Raw } from "../../../jsonrpc/method.js"
import type { Dialect } from "../../../jsonrpc/schema/param.js"
import type { NamedRow } from "./segmentNames.js"

/** A node with one key: what JSON says of it from each of its heights on, newest first, and where its key stands among those of all. */
interface Row {
  readonly since: readonly number[]
  /** A member of a JSON object with a comma in front; empty where the node was not a validator. */
  readonly lines: readonly Uint8Array[]
  readonly keyStart: number
  readonly keyEnd: number
}

/** How a dialect writes a validator as a member of a JSON object. */
const lineOf: Readonly<Record<Dialect, (row: NamedRow, weight: bigint) => string>> = {
  contract: ({ name }, weight) => `,${name}:${weight}`,
  avalanchego: ({ name, key }, weight) => `,${name}:{"publicKey":${key ?? null},"weight":"${weight}"}`,
}

/** What an object of JavaScript takes besides the bytes it points to, about. */
const OBJECT_BYTES = 120

/** As many pieces of an answer are sent as they are; more are copied together. */
const MAX_PIECES = 32

/** Prints the validator sets of a segment's heights. The texts are made once: a set is then copied together from them, line by line. */
export class SetPrinter {
  /** Bytes. */
  readonly size: number
  readonly #dialect: Dialect
  readonly #rows: readonly Row[]
  /** The keys of all rows, each as a member of a JSON object with a comma in front. */
  readonly #keys: Uint8Array
  readonly #maxBytes: number

  /** `named`: all rows of the segment. */
  constructor(named: readonly NamedRow[], dialect: Dialect) {
    const texts = named.map((row) => row.spans.map(({ weight }) => (weight === 0n ? "" : lineOf[dialect](row, weight))))
    const lines = Buffer.from(texts.flat().join(""), "latin1")
    const keys = dialect === "contract" ? named.map(({ name, key }) => (key ? `,${name}:${key}` : "")) : []
    this.#dialect = dialect
    this.#keys = Buffer.from(keys.join(""), "latin1")
    let [at, keyEnd] = [0, 0]
    const take = ({ length }: string): Uint8Array => {
      at += length
      return lines.subarray(at - length, at)
    }
    this.#rows = named.map(({ spans }, i) => {
      const keyStart = keyEnd
      keyEnd += keys[i]?.length ?? 0
      return { since: spans.map(({ since }) => Number(since)), lines: (texts[i] as string[]).map(take), keyStart, keyEnd }
    })
    this.#maxBytes = texts.reduce((sum, row) => sum + Math.max(...row.map(({ length }) => length)), 0)
    this.size = lines.length + this.#keys.length + (texts.flat().length + named.length) * OBJECT_BYTES
  }

  /** The set at a height of the segment as JSON. */
  print(height: bigint): Raw {
    const { members, absent } = this.#membersAt(Number(height))
    if (this.#dialect === "avalanchego") return new Raw(members, CLOSE)
    return new Raw(VALIDATORS, members, PUBLIC_KEYS, ...this.#keysWithout(absent), CLOSE, CLOSE)
  }

  /** The members at a height as a JSON object that is still open, and the rows that are none. */
  #membersAt(height: number): { readonly members: Uint8Array; readonly absent: readonly Row[] } {
    const out = Buffer.allocUnsafe(this.#maxBytes + 1)
    const absent: Row[] = []
    let at = 0
    for (const row of this.#rows) {
      const { since, lines } = row
      let span = 0
      while ((since[span] as number) > height) span++
      const line = lines[span] as Uint8Array
      if (line.length === 0) absent.push(row)
      out.set(line, at)
      at += line.length
    }
    // The brace takes the place of the first comma.
    out[0] = OPEN
    return { members: out.subarray(0, Math.max(at, 1)), absent }
  }

  /** The keys of all rows but these, without the first comma. */
  #keysWithout(absent: readonly Row[]): readonly Uint8Array[] {
    const pieces: Uint8Array[] = []
    let start = 0
    const cut = (end: number): void => {
      if (end > start) pieces.push(this.#keys.subarray(pieces.length === 0 ? start + 1 : start, end))
    }
    for (const { keyStart, keyEnd } of absent) {
      cut(keyStart)
      start = keyEnd
    }
    cut(this.#keys.length)
    return pieces.length > MAX_PIECES ? [Buffer.concat(pieces)] : pieces
  }
}

const OPEN = 0x7b
const CLOSE: Uint8Array = Buffer.from("}")
const VALIDATORS: Uint8Array = Buffer.from('{"validators":')
const PUBLIC_KEYS: Uint8Array = Buffer.from('},"publicKeys":{')
