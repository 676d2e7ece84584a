import type { Match } from "./match.js"

const YEAR_FIRST = /(19\d{2}|200\d|201\d|\d{2})[\t\n\f\r \-/\\_.](\d{1,2})[\t\n\f\r \-/\\_.](\d{1,2})/g
const YEAR_LAST = /(\d{1,2})[\t\n\f\r \-/\\_.](\d{1,2})[\t\n\f\r \-/\\_.](19\d{2}|200\d|201\d|\d{2})/g
const DIGITS = /\d{4,8}/g
const SEPARATOR_BITS = 2

interface DateText {
  readonly day: string
  readonly month: string
  readonly year: string
}

/**
 * Dates with and without separators. Positions count bytes; the reference takes a date to cover one byte more than it has,
 * so that one at the very end does not count.
 */
export function dateMatches(bytes: string): Match[] {
  const matches: Match[] = []
  const add = (text: string, date: DateText, extraBits: number) => {
    const start = bytes.indexOf(text)
    if (isDate(date)) matches.push({ start, end: start + text.length, bits: dateBits(date) + extraBits })
  }
  for (const [text, month, day, year] of bytes.matchAll(YEAR_LAST) as Iterable<string[]>) {
    add(text as string, { day, month, year } as DateText, SEPARATOR_BITS)
  }
  for (const [text, year, day, month] of bytes.matchAll(YEAR_FIRST) as Iterable<string[]>) {
    add(text as string, { day, month, year } as DateText, SEPARATOR_BITS)
  }
  for (const [digits] of bytes.matchAll(DIGITS)) for (const date of datesIn(digits)) add(digits, date, 0)
  return matches
}

/** Reads digits as dates: six with a year of two digits in front, eight with a year of four digits at either end. */
function datesIn(digits: string): DateText[] {
  const date = (dayMonth: string, year: string) => ({ day: dayMonth.slice(0, 2), month: dayMonth.slice(2), year })
  if (digits.length === 6) return [date(digits.slice(2), digits.slice(0, 2))]
  if (digits.length === 8) return [date(digits.slice(4), digits.slice(0, 4)), date(digits.slice(0, 4), digits.slice(4))]
  return []
}

function isDate({ day, month, year }: DateText): boolean {
  const swapped = Number(month) >= 12 && Number(month) <= 31 && Number(day) <= 12
  const [d, m] = swapped ? [Number(month), Number(day)] : [Number(day), Number(month)]
  const y = Number(year)
  return d <= 31 && m <= 12 && ((y >= 1900 && y <= 2019) || y <= 99)
}

function dateBits({ year }: DateText): number {
  return Math.log2(31 * 12 * (Number(year) < 100 ? 100 : 119))
}
