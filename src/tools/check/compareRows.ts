import { encode } from "../../core/codec/decode.js"
import { toJson } from "../../core/codec/valueSink.js"
import { equalBytes } from "../../core/lib/bytes.js"
import { type Json, printJson } from "../../core/lib/json.js"
import { type AnyPrimaryTable, type AnyTable, isPrimary } from "../../core/state/table.js"
import { heightOf, tables as stateTables } from "../../core/state/tables.js"
import type { View } from "../../core/state/view.js"
import type { ID } from "../../core/types/id.js"
import { nodeError } from "../../datadir/errors.js"

/** A row of one table; without a value if a state lacks it. */
interface FoundRow {
  readonly key: unknown
  readonly value: unknown
}

/**
 * Compares the rows of two states in these tables, except for the indexes and the skipped ones. Throws `node.damaged` with the first row that
 * they do not have in common: its table, its key, both values and its block.
 */
export function compareRows(kept: View, replayed: View, tables: readonly AnyTable[], skipped: readonly AnyTable[] = []): void {
  for (const table of tables.filter(isPrimary)) {
    if (skipped.includes(table)) continue
    const others = replayed.rows(table)[Symbol.iterator]()
    let other = others.next()
    const text = () => (other.done ? undefined : table.key.toText(other.value[0]))
    for (const [key, value] of kept.rows(table)) {
      const own = table.key.toText(key)
      const due = text()
      if (due !== undefined && due < own) throw otherRow(kept, table, { key: other.value[0], value: undefined }, other.value[1])
      const isSame = due === own && equalBytes(encode(table.value, value), encode(table.value, other.value[1]))
      if (!isSame) throw otherRow(kept, table, { key, value }, due === own ? other.value[1] : undefined)
      other = others.next()
    }
    if (!other.done) throw otherRow(kept, table, { key: other.value[0], value: undefined }, other.value[1])
  }
}

/** Returns the refusal of a store whose row differs from that of the replayed blocks. */
export function otherRow(view: View, table: AnyPrimaryTable, { key, value }: FoundRow, replayed: unknown) {
  const [kept, due] = [value, replayed].map((each) => valueText(table, each)) as [string, string]
  const block = blockOf(view, key, value ?? replayed)
  const place = block === undefined ? `up to block ${heightOf(view)}` : `of block ${block}`
  const row = { table: table.name, key: keyText(key), block, kept, replayed: due }
  const fault = `replaying the blocks gives another row of ${table.name} under ${row.key}: ${due} and not ${kept}, ${place}`
  return nodeError("node.damaged", { fault, ...row })
}

/** The maximum number of characters of a value in a message. */
const MAX_VALUE = 400

function valueText(table: AnyPrimaryTable, value: unknown): string {
  if (value === undefined) return "no row"
  const text = printJson(toJson(table.value, value, { hrp: "local" }) as Json)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

const keyText = (key: unknown): string => (typeof key === "string" ? key : printJson(key as Json))

/** Returns the height of the block that wrote a row, if the row or its transaction names it. */
function blockOf(view: View, key: unknown, value: unknown): bigint | undefined {
  if (typeof key === "bigint") return key
  for (const fields of [key, value] as Readonly<Record<string, unknown>>[]) {
    const txID = typeof fields?.txID === "string" ? (fields.txID as ID) : undefined
    const height = fields?.height ?? fields?.upTo ?? (txID && view.get(stateTables.txs, txID)?.height)
    if (typeof height === "bigint") return height
  }
  return undefined
}
