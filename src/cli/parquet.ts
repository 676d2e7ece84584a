import type { ByteWriter } from "hyparquet-writer"
import type { Json } from "../core/lib/json.js"
import type { Export } from "../tools/export/exportChain.js"
import { cliError } from "./errors.js"
import type { Terminal } from "./terminal.js"

type SchemaElement = NonNullable<Parameters<typeof import("hyparquet-writer").parquetWriteRows>[0]["schema"]>[number]

const repetition_type = "OPTIONAL"
const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const

/** A type of columns: its declaration, and its value from that of a row. */
interface ColumnType {
  elements(name: string): SchemaElement[]
  valueOf(value: Json): unknown
}

const text: ColumnType = { elements: (name) => [{ name, repetition_type, ...TEXT }], valueOf: (value) => value }

const texts: ColumnType = {
  elements: (name) => [
    { name, repetition_type, converted_type: "LIST", num_children: 1 },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type, ...TEXT },
  ],
  valueOf: (value) => value,
}

/** Unsigned integers of 64 bits. They have no logical type, because version 0.17 of the package writes one that DuckDB cannot read. */
const integer: ColumnType = {
  elements: (name) => [{ name, repetition_type, type: "INT64", converted_type: "UINT_64" }],
  valueOf: (value) => BigInt(value as number),
}

/** Decimals with nine digits after the point, which hold every amount of AVAX exactly. */
const avax: ColumnType = {
  elements: (name) => [
    { name, repetition_type, type: "FIXED_LEN_BYTE_ARRAY", type_length: 9, converted_type: "DECIMAL", precision: 20, scale: 9 },
  ],
  valueOf(value) {
    const [whole = "", fraction = ""] = String(value).split(".")
    return BigInt(whole + fraction.padEnd(9, "0"))
  },
}

const time: ColumnType = {
  elements: (name) => [
    {
      ...{ name, repetition_type, type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    },
  ],
  valueOf: (value) => new Date(String(value)),
}

/** The types of columns that are not text. */
const types: Readonly<Record<string, ColumnType>> = {
  ...{ date: time, timestamp: time, startTime: time, endTime: time, addresses: texts },
  ...{ AVAX: avax, paidAVAX: avax, potentialAVAX: avax, restakedValidationAVAX: avax, restakedDelegateeAVAX: avax },
  ...{ height: integer, index: integer, outputIndex: integer, fee: integer, size: integer, amount: integer, weight: integer },
  ...{ potentialReward: integer, threshold: integer, locktime: integer, stakeableLocktime: integer },
}

const typeOf = (column: string): ColumnType => types[column] ?? text

/**
 * Writes rows as a Parquet file, in parts of up to 100,000 rows. The package that encodes it is an optional peer dependency. Throws
 * `cli.no_parquet` if it is not installed, and `cli.parquet_on_screen`.
 */
export async function writeParquet({ columns, rows }: Export & { kind: "rows" }, terminal: Terminal): Promise<void> {
  if (terminal.isScreen) throw cliError("cli.parquet_on_screen")
  const { ByteWriter, parquetWriteRows } = await import("hyparquet-writer").catch(() => {
    throw cliError("cli.no_parquet")
  })
  const elements = columns.map((name) => typeOf(name).elements(name))
  await parquetWriteRows({
    writer: printing(new ByteWriter(), terminal),
    columns: columns.map((name) => ({ name })),
    schema: [{ name: "rows", num_children: columns.length }, ...elements.flat()],
    rows: valuesOf({ columns, rows }),
  })
}

async function* valuesOf({ columns, rows }: Pick<Export & { kind: "rows" }, "columns" | "rows">) {
  for await (const row of rows) {
    const value = (name: string) => (row[name] === null || row[name] === undefined ? null : typeOf(name).valueOf(row[name]))
    yield Object.fromEntries(columns.map((name) => [name, value(name)]))
  }
}

/** Makes a writer print and forget its bytes after each part. */
function printing(writer: ByteWriter, terminal: Terminal) {
  const flush = async () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    await terminal.print(bytes)
  }
  return Object.assign(writer, { flush, finish: flush })
}
