import type { Writer } from "../codec/writer.js"
import { utf8 } from "../lib/bytes.js"

/** A value of a column. A time is in Unix seconds. */
export type SqlValue = string | number | bigint | boolean | Uint8Array | readonly string[] | null

/** A column of a published table: its type in PostgreSQL, and its value as a field of COPY's binary format. */
export interface SqlColumn<T extends SqlValue = SqlValue> {
  readonly type: string
  readonly isNullable: boolean
  readonly comment: string
  /** Writes the number of bytes of a value, and these bytes. */
  writeField(w: Writer, value: T): void
}

/** The value of a column. */
export type ColumnValue<C> = C extends SqlColumn<infer T> ? T : never

type Column<T extends SqlValue> = (comment: string) => SqlColumn<T>

function columnOf<T extends SqlValue>(type: string, writeField: (w: Writer, value: T) => void): Column<T> {
  return (comment) => ({ type, isNullable: false, comment, writeField })
}

/** PostgreSQL stores no NUL in text; the protocol allows one in names. */
const NUL = String.fromCharCode(0)

/** Text that may hold any character. */
export const freeText = columnOf<string>("text", (w, value) => writeBytes(w, utf8(value.replaceAll(NUL, "�"))))
/**
 * Text of letters, digits and dashes only: an ID in cb58, an address, a kind. It is compared byte by byte, whatever the database's locale.
 */
export const asciiText = columnOf<string>('text collate "C"', writeAscii)
/** A number below 2^63, such as a height. */
export const int8 = columnOf<bigint>("bigint", (w, value) => {
  w.u32(8)
  w.i64(value)
})
/** A number below 2^31, such as an index. No block has more bytes than 2 MiB, so every index and size is below. */
export const int4 = columnOf<number>("integer", (w, value) => {
  w.u32(4)
  w.u32(value >>> 0)
})
/** A number below 2^15. */
export const int2 = columnOf<number>("smallint", (w, value) => {
  w.u32(2)
  w.u16(value)
})
/** An unsigned 64-bit number, or a sum of such numbers. */
export const numeric = columnOf<bigint>("numeric", writeNumeric)
export const boolean = columnOf<boolean>("boolean", (w, value) => {
  w.u32(1)
  w.u8(value ? 1 : 0)
})
/** Bytes. */
export const bytea = columnOf<Uint8Array>("bytea", writeBytes)
/** Bytes that are given in hex. */
export const hexBytea = columnOf<string>("bytea", (w, hex) => {
  w.u32(hex.length / 2)
  w.hex(hex, hex.length / 2)
})

/** Seconds from 1970 to 2000, the year that PostgreSQL counts times from. */
const YEAR_2000 = 946_684_800n

/** A time in Unix seconds, which PostgreSQL stores as a timestamp. */
export const timestamptz = columnOf<bigint>("timestamptz", (w, value) => {
  w.u32(8)
  w.i64((value - YEAR_2000) * 1_000_000n)
})

/** The number of the type text in every PostgreSQL server. */
const TEXT_TYPE = 25

/** A list of texts of letters, digits and dashes, such as addresses. */
export const asciiTexts = columnOf<readonly string[]>("text[]", (w, values) => {
  const dimensions = values.length === 0 ? 0 : 1
  w.u32(12 + 8 * dimensions + values.reduce((sum, { length }) => sum + 4 + length, 0))
  w.u32(dimensions)
  // No element is null.
  w.u32(0)
  w.u32(TEXT_TYPE)
  if (dimensions === 0) return
  w.u32(values.length)
  // The index of the first element.
  w.u32(1)
  for (const value of values) writeAscii(w, value)
})

const NULL_FIELD = 0xffff_ffff

/** A column that may be null. */
export function orNull<T extends SqlValue>(column: SqlColumn<T>): SqlColumn<T | null> {
  const writeField: SqlColumn<T | null>["writeField"] = (w, value) =>
    value === null ? w.u32(NULL_FIELD) : column.writeField(w, value)
  return { ...column, isNullable: true, writeField }
}

function writeAscii(w: Writer, value: string): void {
  w.u32(value.length)
  w.latin1(value)
}

function writeBytes(w: Writer, value: Uint8Array): void {
  w.u32(value.length)
  w.bytes(value)
}

/** A digit of PostgreSQL's numeric has four digits of ours. */
const DIGIT = 10_000
const NEGATIVE = 0x4000

function writeNumeric(w: Writer, value: bigint): void {
  const digits = digitsOf(value < 0n ? -value : value)
  w.u32(8 + 2 * digits.length)
  w.u16(digits.length)
  // The power of the first digit.
  w.u16(Math.max(0, digits.length - 1))
  w.u16(value < 0n ? NEGATIVE : 0)
  // There is no digit after the point.
  w.u16(0)
  for (let i = digits.length - 1; i >= 0; i--) w.u16(digits[i] as number)
}

/** The digits of a number, the lowest first; none of zero. */
function digitsOf(value: bigint): number[] {
  const digits: number[] = []
  let high = value
  for (; high > BigInt(Number.MAX_SAFE_INTEGER); high /= BigInt(DIGIT)) digits.push(Number(high % BigInt(DIGIT)))
  for (let rest = Number(high); rest > 0; rest = Math.floor(rest / DIGIT)) digits.push(rest % DIGIT)
  return digits
}
