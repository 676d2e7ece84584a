import { refusals } from "../invalid.js"

/** Nanoseconds in a second. */
export const SECOND = 1_000_000_000n

/** Nanoseconds in an hour. */
export const HOUR = 3600n * SECOND

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  // Both letters that look like a mu: the micro sign and the Greek letter.
  "\u00b5s": 1_000n,
  "\u03bcs": 1_000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: HOUR,
}

const LIMIT = 1n << 63n
const PARTS = /(\d*)(?:\.(\d*))?([^\d.]*)/g

export const durationError = refusals({
  "duration.malformed": {
    sentence: "the text is not a duration such as 336h, 1h30m or 1.5s",
    avalanchegoMessage: ({ text }) => `time: invalid duration ${JSON.stringify(text)}`,
  },
  "duration.missing_unit": {
    sentence: "a number in the duration has no unit (ns, us, ms, s, m, h)",
    avalanchegoMessage: ({ text }) => `time: missing unit in duration ${JSON.stringify(text)}`,
  },
  "duration.unknown_unit": {
    sentence: "the duration has an unknown unit (known: ns, us, ms, s, m, h; there is no day)",
    avalanchegoMessage: ({ text, unit }) => `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`,
  },
})

/** Reads a duration in Go's syntax (`time.ParseDuration`), in nanoseconds. Throws `duration.…`. */
export function parseGoDuration(text: string): bigint {
  const negative = text.startsWith("-")
  const start = negative || text.startsWith("+") ? 1 : 0
  if (text.slice(start) === "0") return 0n
  if (start === text.length) throw durationError("duration.malformed", { text })
  let total = 0n
  for (const [part, whole = "", fraction = "", unit = ""] of text.slice(start).matchAll(PARTS)) {
    // The last match is empty and at the end.
    if (part === "") break
    if (whole === "" && fraction === "") throw durationError("duration.malformed", { text })
    if (unit === "") throw durationError("duration.missing_unit", { text })
    const size = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined
    if (size === undefined) throw durationError("duration.unknown_unit", { text, unit })
    total += BigInt(whole) * size + fractionOf(fraction, size)
    if (total > LIMIT) throw durationError("duration.malformed", { text })
  }
  if (!negative && total === LIMIT) throw durationError("duration.malformed", { text })
  return negative ? -total : total
}

/** Go computes the fraction in floating point and drops digits that no longer fit in 63 bits, and so does this function. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n
  let scale = 1
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit)
    if (value > (LIMIT - 1n) / 10n || next > LIMIT) break
    value = next
    scale *= 10
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)))
}

/** Prints nanoseconds as Go does: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function printGoDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? "-" : ""
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  if (size === 0n) return "0s"
  if (size < SECOND) {
    const unit = size < 1_000n ? "ns" : size < 1_000_000n ? "\u00b5s" : "ms"
    return sign + decimal(size, UNITS[unit] as bigint) + unit
  }
  const minutes = size / (60n * SECOND)
  const hours = minutes / 60n
  const seconds = `${decimal(size % (60n * SECOND), SECOND)}s`
  return sign + (hours > 0n ? `${hours}h` : "") + (minutes > 0n ? `${minutes % 60n}m` : "") + seconds
}

function decimal(value: bigint, unit: bigint): string {
  const places = unit.toString().length - 1
  const fraction = (value % unit).toString().padStart(places, "0").replace(/0+$/, "")
  return places === 0 || fraction === "" ? `${value / unit}` : `${value / unit}.${fraction}`
}

/** Converts nanoseconds to whole seconds, rounded up. */
export function ceilSeconds(nanoseconds: bigint): bigint {
  return -floorSeconds(-nanoseconds)
}

/** Converts nanoseconds to whole seconds, rounded down, also below zero. */
export function floorSeconds(nanoseconds: bigint): bigint {
  const whole = nanoseconds / SECOND
  return whole * SECOND > nanoseconds ? whole - 1n : whole
}
