import { Invalid } from "../../src/core/lib/invalid.js"
import { type Json, printJson } from "../../src/core/lib/json.js"

/** One entry of a vector file, as read: integers past 2^53 are bigints. */
// biome-ignore lint/suspicious/noExplicitAny: entries are recorded data of many shapes, checked field by field by their group
export type Entry = any

/** The argument of a group's check: it states the expected values and collects every difference. */
export class Verdict {
  readonly failures: string[] = []

  /** `got` must equal `want`, compared as JSON values; numbers, bigints and decimal strings of one value are equal. */
  equal(what: string, got: unknown, want: unknown): void {
    const [left, right] = [plain(got), plain(want)]
    if (left !== right) this.failures.push(`${what}: expected ${right}, got ${left}`)
  }

  /** `action` must refuse, with an `Invalid` (any other error is a fault of ours). */
  refuses(what: string, action: () => unknown): void {
    try {
      const got = action()
      this.failures.push(`${what}: expected a refusal, got ${plain(got)}`)
    } catch (error) {
      if (!(error instanceof Invalid)) throw error
    }
  }
}

/** Checks one entry. Returns the reason where the entry cannot be checked here (it is then skipped by name). */
export type Check = (entry: Entry, verdict: Verdict) => unknown

/** The checks of one vector file, by the entry's `kind`. */
export type Group = Readonly<Record<string, Check>>

/** Writes equal values as the same text: bytes as hex, all integers as digits, members sorted by name. */
function plain(value: unknown): string {
  return printJson(normal(value))
}

function normal(value: unknown): Json {
  if (value === undefined || value === null) return null
  if (typeof value === "bigint") return value.toString()
  if (typeof value === "number") return Number.isInteger(value) ? value.toString() : value
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex")
  if (Array.isArray(value)) return value.map(normal)
  if (typeof value !== "object") return value as Json
  const out: Record<string, Json> = {}
  for (const key of Object.keys(value).sort()) out[key] = normal((value as Record<string, unknown>)[key])
  return out
}
