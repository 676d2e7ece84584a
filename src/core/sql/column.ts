import { toHex } from "../lib/bytes.js"

/** A value of a column. A time is in Unix seconds. */
export type SqlValue = string | number | bigint | boolean | Uint8Array | readonly string[] | null

/** A column of a published table: its type in PostgreSQL, and its value as a field of COPY's text format. */
export interface SqlColumn<T extends SqlValue = SqlValue> {
  readonly type: string
  readonly isNullable: boolean
  readonly comment: string
  fieldOf(value: T): string
}

export type ColumnValue<C> = C extends SqlColumn<infer T> ? T : never

type Column<T extends SqlValue> = (comment: string) => SqlColumn<T>

function columnOf<T extends SqlValue>(type: string, fieldOf: (value: T) => string = String): Column<T> {
  return (comment) => ({ type, isNullable: false, comment, fieldOf })
}

/** PostgreSQL stores no NUL in text; the protocol allows one in names. */
const NUL = String.fromCharCode(0)

/** The characters that COPY gives another meaning. */
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

/** Text that may hold any character. */
export const freeText = columnOf<string>("text", (value) =>
  value.replaceAll(NUL, "�").replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] as string),
)
/**
 * Text of letters, digits and dashes only: an ID in cb58, an address, a kind. It is compared byte by byte, whatever the database's locale.
 */
export const asciiText = columnOf<string>('text collate "C"')
/** A number below 2^63, such as a height. */
export const int8 = columnOf<bigint>("bigint")
/** A number below 2^31, such as an index. No block has more bytes than 2 MiB, so every index and size is below. */
export const int4 = columnOf<number>("integer")
/** A number below 2^15. */
export const int2 = columnOf<number>("smallint")
/** An unsigned 64-bit number, or a sum of such numbers. */
export const numeric = columnOf<bigint>("numeric")
export const boolean = columnOf<boolean>("boolean")
/** Bytes that are given in hex. */
export const hexBytea = columnOf<string>("bytea", (hex) => `\\\\x${hex}`)
export const bytea = columnOf<Uint8Array>("bytea", (bytes) => `\\\\x${toHex(bytes)}`)

/** A time in Unix seconds, which PostgreSQL stores as a timestamp. JavaScript writes years after 9999 with a sign and a zero. */
export const timestamptz = columnOf<bigint>("timestamptz", (value) =>
  new Date(Number(value) * 1000).toISOString().replace(/^\+0/, ""),
)

/** A list of texts of letters, digits and dashes, such as addresses. */
export const asciiTexts = columnOf<readonly string[]>("text[]", (values) => `{${values.join(",")}}`)

export function orNull<T extends SqlValue>(column: SqlColumn<T>): SqlColumn<T | null> {
  return { ...column, isNullable: true, fieldOf: (value) => (value === null ? "\\N" : column.fieldOf(value)) }
}
