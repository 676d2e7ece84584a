import { goTimeText } from "./goTime.js"

const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/

/**
 * Reads an RFC 3339 time in nanoseconds since 1970; `undefined` if the text is not one. It is as lenient as Go's JSON reader: one digit of
 * an hour, a comma before the fraction and offsets up to 24:60 are allowed; digits after the ninth are dropped.
 */
export function parseRfc3339(text: string): bigint | undefined {
  const match = FORM.exec(text)
  if (!match) return undefined
  const field = (index: number) => Number(match[index] ?? "0")
  const [year, month, day, hour, minute, second] = [field(1), field(2), field(3), field(4), field(5), field(6)]
  const [offsetHours, offsetMinutes] = [field(9), field(10)]
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 24 || offsetMinutes > 60) return undefined
  const date = new Date(0)
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === "-" ? -60 : 60)
  const seconds = date.getTime() / 1000 + (hour * 60 + minute) * 60 + second - offset
  return BigInt(seconds) * 1_000_000_000n + BigInt((match[7] ?? "").slice(0, 9).padEnd(9, "0"))
}

/** Prints Unix seconds as RFC 3339 in UTC without a fraction: `2020-12-05T05:00:00Z`. Years after 9999 have more digits. */
export function printRfc3339(seconds: bigint): string {
  return goTimeText(seconds).replace(" ", "T").replace(" +0000 UTC", "Z")
}
