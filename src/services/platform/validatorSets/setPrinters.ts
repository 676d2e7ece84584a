import { compressKey } from "../../../core/crypto/compressKey.js"
import { latin1 } from "../../../core/lib/bytes.js"
import { flatText } from "../../../core/lib/flatText.js"
import { MAX64 } from "../../../core/lib/math64.js"
import type { Pace } from "../../../core/lib/pace.js"
import type { SegmentRow, SetSegment } from "../../../core/readmodel/validatorSets/setSegment.js"
import { toHexText } from "../../../core/types/hexText.js"
import type { NodeID } from "../../../core/types/id.js"
import { PrintedJson } from "../../../jsonrpc/printedJson.js"
import type { Dialect } from "../../../jsonrpc/schema/param.js"

/** A row of a segment with its node ID and compressed key as JSON, in quotation marks. */
export interface NamedRow extends SegmentRow {
  readonly name: string
  /** `undefined` if the node has no key. */
  readonly key: string | undefined
}

/** Approximate size in bytes of a row with its texts. */
const ROW_BYTES = 1500

/** Returns the rows of a segment sorted by the texts of their node IDs, as JSON lists them. */
export async function namedRows(
  { rows }: SetSegment,
  nameOf: (nodeID: NodeID) => string,
  pace: Pace,
): Promise<readonly NamedRow[]> {
  const named: NamedRow[] = []
  for (const { nodeID, publicKey, spans } of rows) {
    const key = publicKey && `"${toHexText(compressKey(publicKey), "hexnc")}"`
    named.push({ nodeID, publicKey, spans, name: `"${nameOf(nodeID)}"`, key })
    if (pace.isDue) await pace.pause()
  }
  return named.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The weights of a row, newest first, each with its text. A weight of 0 has the empty text. */
type Lines = readonly Line[]

interface Line {
  readonly since: number
  readonly weight: bigint
  readonly text: string
}

const linesOf = ({ spans }: SegmentRow, textOf: (weight: bigint) => string): Lines =>
  spans.map(({ since, weight }) => ({ since: Number(since), weight, text: weight === 0n ? "" : flatText(textOf(weight)) }))

const NO_LINE: Line = { since: 0, weight: 0n, text: "" }

function lineAt(lines: Lines, height: number): Line {
  for (const line of lines) if (line.since <= height) return line
  return NO_LINE
}

/** Prints the validator sets of a segment's heights. A test compares it with the schema of `getValidatorsAt`. */
export class SetPrinter {
  /** The size in memory, bytes. */
  readonly size: number
  readonly #isContract: boolean
  /** The texts of each row, with a comma before it. */
  readonly #lines: readonly Lines[]
  /** The keys of all rows as members of an object, each with a comma before it, and the position of each. */
  readonly #keys: Uint8Array
  readonly #keyStarts: readonly number[]

  /** `rows` are all rows of the segment. */
  constructor(rows: readonly NamedRow[], dialect: Dialect) {
    this.#isContract = dialect === "contract"
    this.#lines = rows.map((row) =>
      linesOf(row, (weight) =>
        this.#isContract ? `,${row.name}:${weight}` : `,${row.name}:{"publicKey":${row.key ?? null},"weight":"${weight}"}`,
      ),
    )
    const keys = rows.map(({ name, key }) => (this.#isContract && key ? `,${name}:${key}` : ""))
    let end = 0
    this.#keyStarts = [
      0,
      ...keys.map(({ length }) => {
        end += length
        return end
      }),
    ]
    this.#keys = Buffer.from(keys.join(""), "latin1")
    this.size = rows.length * ROW_BYTES
  }

  /** Prints the set at a height of the segment as JSON. */
  print(height: bigint): PrintedJson {
    const texts = this.#lines.map((lines) => lineAt(lines, Number(height)).text)
    const members = texts.join("").slice(1)
    if (!this.#isContract) return new PrintedJson(Buffer.from(`{${members}}`, "latin1"))
    const open = Buffer.from(`{"validators":{${members}},"publicKeys":{`, "latin1")
    return new PrintedJson(open, ...this.#keysOf(texts), Buffer.from("}}"))
  }

  /** Returns the keys of the rows that have a text, without the first comma. They are most of the answer, so they are not copied. */
  #keysOf(texts: readonly string[]): readonly Uint8Array[] {
    const pieces: Uint8Array[] = []
    let start = 0
    for (let row = 0; row <= texts.length; row++) {
      if (texts[row] !== "" && row < texts.length) continue
      const end = this.#keyStarts[row] as number
      if (end > start) pieces.push(this.#keys.subarray(pieces.length === 0 ? start + 1 : start, end))
      start = this.#keyStarts[row + 1] ?? end
    }
    return pieces
  }
}

/**
 * Prints the validator sets of a segment's heights in the form that verifies Warp messages: one signer for each key, in the order of the
 * keys.
 */
export class CanonicalPrinter {
  /** The size in memory, bytes. */
  readonly size: number
  /** The weights of the rows without a key. */
  readonly #others: readonly Lines[]
  /** The rows of each key with their texts, in the order of the keys' 96 bytes. */
  readonly #signers: readonly (readonly SignerRow[])[]

  /** `rows` are all rows of the segment. */
  constructor(rows: readonly NamedRow[]) {
    const byKey = new Map<string, SignerRow[]>()
    for (const row of rows) {
      if (!row.publicKey) continue
      const order = latin1(row.publicKey)
      const lines = linesOf(row, (weight) => signerText(row.key, weight, row.name))
      byKey.set(order, [...(byKey.get(order) ?? []), { ...row, lines }])
    }
    this.#signers = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rows]) => rows)
    this.#others = rows.filter(({ publicKey }) => !publicKey).map((row) => linesOf(row, () => ""))
    this.size = rows.length * ROW_BYTES
  }

  /**
   * Prints the set at a height of the segment as JSON; `undefined` if it has no member, or if its total is above 2^64 − 1, which makes
   * signatures impossible.
   */
  print(height: bigint): PrintedJson | undefined {
    const at = Number(height)
    let total = this.#others.reduce((sum, lines) => sum + lineAt(lines, at).weight, 0n)
    const texts = this.#signers.map((rows) => {
      const { weight, text } = signerAt(rows, at)
      total += weight
      return text
    })
    if (total === 0n || total > MAX64) return undefined
    return new PrintedJson(Buffer.from(`{"validators":[${texts.join("").slice(1)}],"totalWeight":"${total}"}`, "latin1"))
  }
}

/** A row with a key, and its texts as a signer. */
interface SignerRow extends NamedRow {
  readonly lines: Lines
}

/** Returns the weight and the text of the nodes that have one key at a height. Nodes that share a key sign as one. */
function signerAt(rows: readonly SignerRow[], height: number): Pick<Line, "weight" | "text"> {
  const [first] = rows
  if (rows.length === 1 && first) return lineAt(first.lines, height)
  const present = rows.filter(({ lines }) => lineAt(lines, height).weight > 0n)
  const weight = present.reduce((sum, { lines }) => sum + lineAt(lines, height).weight, 0n)
  return { weight, text: weight === 0n ? "" : signerText(first?.key, weight, present.map(({ name }) => name).join()) }
}

/** Prints a signer, with a comma before it. */
const signerText = (key: string | undefined, weight: bigint, names: string): string =>
  `,{"publicKey":${key},"weight":"${weight}","nodeIDs":[${names}]}`
