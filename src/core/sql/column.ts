/** A value of a column. A time is in Unix seconds. */
export type SqlValue = string | number | bigint | boolean | Uint8Array | readonly string[] | null

/** A column of a published table: its type in PostgreSQL, and its value as a field of COPY's text format. */
export interface SqlColumn<T extends SqlValue = SqlValue> {
  readonly type: string
  readonly isNullable: boolean
  readonly comment: string
  toCopy(value: T): string
}

/** The value of a column. */
export type ColumnValue<C> = C extends SqlColumn<infer T> ? T : never

type Column<T extends SqlValue> = (comment: string) => SqlColumn<T>

function columnOf<T extends SqlValue>(type: string, toCopy: (value: T) => string): Column<T> {
  return (comment) => ({ type, isNullable: false, comment, toCopy })
}

/** Characters that COPY would read as the end of a field, of a row, or as the start of an escape. */
const SPECIAL = /[\\\t\n\r]/g
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

/** PostgreSQL stores no NUL in text; the protocol allows one in names. */
const NUL = String.fromCharCode(0)

function escaped(text: string): string {
  return text.replaceAll(NUL, "�").replace(SPECIAL, (character) => ESCAPES[character] as string)
}

/** Text that may hold any character. */
export const freeText = columnOf<string>("text", escaped)
/**
 * Text of letters, digits and dashes only: an ID in cb58, an address, a kind. It is compared byte by byte, whatever the database's locale.
 */
export const asciiText = columnOf<string>('text collate "C"', (value) => value)
/** A number below 2^63, such as a height. */
export const int8 = columnOf<bigint>("bigint", String)
/** A number below 2^31, such as an index. */
export const int4 = columnOf<number>("integer", String)
/** A number below 2^15. */
export const int2 = columnOf<number>("smallint", String)
/** An unsigned 64-bit number, or a sum of such numbers. */
export const numeric = columnOf<bigint>("numeric", String)
export const boolean = columnOf<boolean>("boolean", (value) => (value ? "t" : "f"))
/** Bytes. */
export const bytea = columnOf<Uint8Array>(
  "bytea",
  (value) => `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString("hex")}`,
)
/** Bytes that are given in hex. */
export const hexBytea = columnOf<string>("bytea", (hex) => `\\\\x${hex}`)
/** A time in Unix seconds, which PostgreSQL stores as a timestamp. */
export const timestamptz = columnOf<bigint>("timestamptz", (value) => new Date(Number(value) * 1000).toISOString())

/** A list of texts without commas, quotes and braces, such as addresses. */
export const asciiTexts = columnOf<readonly string[]>("text[]", (values) => `{${values.join(",")}}`)

/** A column that may be null. */
export function orNull<T extends SqlValue>(column: SqlColumn<T>): SqlColumn<T | null> {
  return { ...column, isNullable: true, toCopy: (value) => (value === null ? "\\N" : column.toCopy(value)) }
}
