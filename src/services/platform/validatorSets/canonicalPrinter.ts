import { latin1 } from "../../../core/lib/bytes.js"
import { MAX64 } from "../../../core/lib/math64.js"
import { weightAt } from "../../../core/readmodel/validatorSets/setSegment.js"
import { PrintedJson } from "../../../jsonrpc/printedJson.js"
import type { NamedRow } from "./segmentNames.js"
import { WeightLines } from "./weightLines.js"

/** Approximate size in bytes of a row with its texts. */
const ROW_BYTES = 800

const OPEN = Buffer.from('{"validators":[')

/**
 * Prints the validator sets of a segment's heights in the form that verifies Warp messages: one signer for each key, in the order of the
 * keys.
 */
export class CanonicalPrinter {
  /** The size in memory, bytes. */
  readonly size: number
  readonly #rows: readonly NamedRow[]
  /** Rows with a key, in the order of their keys' 96 bytes and then of node IDs. */
  readonly #signers: readonly NamedRow[]
  /** The texts of the signers; `undefined` if nodes share a key and sign as one. */
  readonly #lines: WeightLines | undefined

  /** `rows` are all rows of the segment. */
  constructor(rows: readonly NamedRow[]) {
    this.#rows = rows
    this.#signers = inOrderOfKeys(this.#rows)
    const hasOwnKeys = this.#signers.every(({ key }, i) => key !== this.#signers[i + 1]?.key)
    this.#lines = hasOwnKeys ? new WeightLines(this.#signers.map(lineOf)) : undefined
    this.size = this.#rows.length * ROW_BYTES + (this.#lines?.size ?? 0)
  }

  /**
   * Prints the set at a height of the segment as JSON; `undefined` if it has no member, or if its total is above 2^64 − 1, which makes
   * signatures impossible.
   */
  print(height: bigint): PrintedJson | undefined {
    let total = 0n
    for (const row of this.#rows) total += weightAt(row, height)
    if (total === 0n || total > MAX64) return undefined
    const close = Buffer.from(`],"totalWeight":"${total}"}`, "latin1")
    if (this.#lines) return new PrintedJson(this.#lines.at(height, OPEN, close).bytes)
    return new PrintedJson(OPEN, Buffer.from(this.#sharedSigners(height).join(), "latin1"), close)
  }

  /** Prints the signers of a segment in which nodes share keys. */
  #sharedSigners(height: bigint): readonly string[] {
    const signers: { readonly key: string | undefined; weight: bigint; names: string }[] = []
    for (const row of this.#signers) {
      const weight = weightAt(row, height)
      if (weight === 0n) continue
      const last = signers.at(-1)
      // Nodes that share a key sign as one.
      if (last?.key === row.key && last) {
        last.weight += weight
        last.names += `,${row.name}`
      } else signers.push({ key: row.key, weight, names: row.name })
    }
    return signers.map(({ key, weight, names }) => `{"publicKey":${key},"weight":"${weight}","nodeIDs":[${names}]}`)
  }
}

function lineOf(row: NamedRow) {
  return { row, before: `,{"publicKey":${row.key},"weight":"`, after: `","nodeIDs":[${row.name}]}` }
}

function inOrderOfKeys(rows: readonly NamedRow[]): readonly NamedRow[] {
  const keyed = rows.flatMap((row) => (row.publicKey ? [{ row, order: latin1(row.publicKey) }] : []))
  // Rows are in the order of node IDs, and sorting keeps this order among rows that share a key.
  return keyed.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0)).map(({ row }) => row)
}
