import { toJson } from "../codec/valueSink.js"
import { type Json, printJson } from "../lib/json.js"
import type { ID } from "../types/id.js"
import type { IndexTable, Table } from "./table.js"
import { heightOf, tables } from "./tables.js"
import type { IndexedView, View } from "./view.js"

/** What a row should be: its value, `undefined` for no row, or words about it; and who says so. */
export interface DueRow<V> {
  readonly source: string
  readonly due: V | undefined | { readonly words: string }
  /** The height of the block that wrote the row, if neither the row nor its transaction names it. */
  readonly block?: bigint
}

/**
 * Says that a row contradicts other rows: `currentStakers has under KEY VALUE, and SOURCE gives VALUE, of block 7`. Where the row does not
 * name its block, it names the last one: `up to block 7`.
 */
export function rowFault<K, V>(view: View, table: Table<K, V>, key: K, due: DueRow<V>): string
export function rowFault<K, V>(view: IndexedView, table: Table<K, V> | IndexTable<K, V>, key: K, due: DueRow<V>): string
export function rowFault<K, V>(
  view: View,
  table: Table<K, V> | IndexTable<K, V>,
  key: K,
  { source, due, block }: DueRow<V>,
): string {
  const kept = view.get(table as Table<K, V>, key)
  const isWords = typeof due === "object" && due !== null && "words" in due
  const values = [valueText(table, kept), isWords ? due.words : valueText(table, due)]
  const writtenBy = block ?? blockOfRow(view, key, kept ?? (isWords ? undefined : due))
  const place = writtenBy === undefined ? `up to block ${heightOf(view)}` : `of block ${writtenBy}`
  return `${table.name} has under ${keyText(key)} ${values[0]}, and ${source} gives ${values[1]}, ${place}`
}

/** The maximum number of characters of a value in a sentence. */
const MAX_VALUE = 400

/** Prints the value of a row for people. */
export function valueText<K, V>({ value: codec }: Pick<Table<K, V>, "value">, value: V | undefined): string {
  if (value === undefined) return "no row"
  // Rows of some tables have no value.
  if (value === null) return "a row"
  const text = printJson(toJson(codec, value, { hrp: "local" }) as Json)
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text
}

function keyText(key: unknown): string {
  if (key === null) return "its only key"
  return typeof key === "string" ? key : printJson(key as Json)
}

/** Returns the height of the block that wrote a row, if the row or its transaction names it. */
function blockOfRow(view: View, key: unknown, value: unknown): bigint | undefined {
  if (typeof key === "bigint") return key
  for (const fields of [key, value] as Readonly<Record<string, unknown>>[]) {
    const txID = typeof fields?.txID === "string" ? (fields.txID as ID) : undefined
    const height = fields?.height ?? fields?.upTo ?? (txID && view.get(tables.txs, txID)?.height)
    if (typeof height === "bigint") return height
  }
  return undefined
}
