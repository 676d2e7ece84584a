import { parseGoDuration } from "../lib/go/goDuration.js"
import { MAX64 } from "../lib/math64.js"

/** Raw value of a flag: text on the command line and in the environment, text or a number in a configuration file. */
export type FlagValue = string | number | bigint | boolean | null | undefined

/** Unit and form of the value of a rule flag. */
export type FlagKind = "nAVAX" | "nAVAX per second" | "gas" | "weight" | "count" | "millionths" | "duration" | "fraction"

/** Descriptions of the forms that `readFlagValue` accepts, for the refusal. */
export const flagForms: Readonly<Record<FlagKind, string>> = {
  nAVAX: "an amount in nAVAX, an integer below 2^64",
  "nAVAX per second": "a price in nAVAX per second, an integer below 2^64",
  gas: "an amount of gas, an integer below 2^64",
  weight: "a weight, an integer below 2^64",
  count: "an integer below 2^64",
  millionths: "a share in millionths, an integer below 2^64",
  duration: "a duration with its units, such as 24h, 1h30m or 90s",
  fraction: "a number between 0 and 1",
}

/** Reads a value: a fraction unchanged, a duration in nanoseconds, anything else as an unsigned integer; `undefined` if it is malformed. */
export function readFlagValue(kind: FlagKind, value: FlagValue): bigint | number | undefined {
  if (kind === "fraction") return readFraction(value)
  if (kind === "duration") return typeof value === "string" ? parseGoDuration(value) : readInteger(value)
  const integer = typeof value === "string" ? readDigits(value) : readInteger(value)
  return integer === undefined || integer < 0n || integer > MAX64 ? undefined : integer
}

function readInteger(value: FlagValue): bigint | undefined {
  if (typeof value === "bigint") return value
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : undefined
}

/** Matches integers as Go's flags read them: bases by prefix, underscores between digits. A leading zero (octal there) is refused. */
const DIGITS = /^(?:0|[1-9](?:_?\d)*|0x(?:_?[\da-f])+|0o(?:_?[0-7])+|0b(?:_?[01])+)$/i

function readDigits(text: string): bigint | undefined {
  return DIGITS.test(text) ? BigInt(text.replaceAll("_", "").toLowerCase()) : undefined
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function readFraction(value: FlagValue): number | undefined {
  if (typeof value === "string") return DECIMAL.test(value) ? Number(value) : undefined
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined
}
