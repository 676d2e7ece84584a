import { parseRfc3339 } from "./go/rfc3339.js"
import type { Json } from "./json.js"
import { MAX64 } from "./math64.js"

/** The first or the last block of a part of a chain: its height, or a time in Unix seconds. */
export interface ChainBound {
  readonly kind: "height" | "time"
  readonly value: bigint
}

/** The forms of a bound, for help and refusals. */
export const BOUND_FORMS = "a height such as 100, a date such as 2027-01-31, a time in RFC 3339, or Unix seconds"

/** Numbers from this one on are Unix seconds, which was in September 2001. Smaller ones are heights. */
const FIRST_TIME = 1_000_000_000n

/**
 * Reads a bound. A date is its first second in UTC as the start of a part, and its last second as the end. Returns `undefined` if the value
 * has none of the forms.
 */
export function readBound(given: Json, side: "from" | "to"): ChainBound | undefined {
  const text = typeof given === "string" ? given : typeof given === "number" || typeof given === "bigint" ? String(given) : ""
  if (/^\d{1,20}$/.test(text)) {
    const value = BigInt(text)
    return value > MAX64 ? undefined : { kind: value < FIRST_TIME ? "height" : "time", value }
  }
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text)
  const nanoseconds = parseRfc3339(isDate ? `${text}T${side === "from" ? "00:00:00" : "23:59:59"}Z` : text)
  return nanoseconds === undefined || nanoseconds < 0n ? undefined : { kind: "time", value: nanoseconds / 1_000_000_000n }
}
