import { expect, test } from "vitest"
import { Invalid } from "../invalid.js"
import { ceilSeconds, floorSeconds, parseGoDuration, printGoDuration } from "./goDuration.js"

// Recorded from Go 1.26's time.ParseDuration and Duration.String.
const durations: readonly [text: string, nanoseconds: bigint, printed: string][] = [
  ["0", 0n, "0s"],
  ["336h", 1_209_600_000_000_000n, "336h0m0s"],
  ["1h30m", 5_400_000_000_000n, "1h30m0s"],
  ["1.5s", 1_500_000_000n, "1.5s"],
  ["-.5h", -1_800_000_000_000n, "-30m0s"],
  ["+2m.5s", 120_500_000_000n, "2m0.5s"],
  ["1ns", 1n, "1ns"],
  ["1.5us", 1_500n, "1.5µs"],
  ["250ms", 250_000_000n, "250ms"],
  ["0.33333333333333333333h", 1_200_000_000_000n, "20m0s"],
  ["-9223372036854775808ns", -(2n ** 63n), "-2562047h47m16.854775808s"],
]

test("durations are read and printed as Go does", () => {
  for (const [text, nanoseconds, printed] of durations) {
    expect([text, parseGoDuration(text), printGoDuration(nanoseconds)]).toEqual([text, nanoseconds, printed])
  }
})

const refused: readonly [text: string, code: string, reference: string][] = [
  ["", "duration.malformed", 'time: invalid duration ""'],
  ["-", "duration.malformed", 'time: invalid duration "-"'],
  ["h", "duration.malformed", 'time: invalid duration "h"'],
  [".s", "duration.malformed", 'time: invalid duration ".s"'],
  ["9223372036854775808ns", "duration.malformed", 'time: invalid duration "9223372036854775808ns"'],
  ["30", "duration.missing_unit", 'time: missing unit in duration "30"'],
  ["14d", "duration.unknown_unit", 'time: unknown unit "d" in duration "14d"'],
  ["1 s", "duration.unknown_unit", 'time: unknown unit " s" in duration "1 s"'],
]

test("a text that is no duration is refused in Go's words", () => {
  for (const [text, code, reference] of refused) {
    const refusal = refusalOf(() => parseGoDuration(text))
    expect([text, refusal?.code, refusal?.avalanchegoMessage]).toEqual([text, code, reference])
  }
})

test("seconds round up and down, below zero too", () => {
  expect([1_000_000_000n, 1_000_000_001n, -1n, -1_000_000_001n].map(ceilSeconds)).toEqual([1n, 2n, 0n, -1n])
  expect([1_000_000_000n, 1_999_999_999n, -1n, -1_000_000_001n].map(floorSeconds)).toEqual([1n, 1n, -1n, -2n])
})

function refusalOf(action: () => unknown): Invalid | undefined {
  try {
    action()
  } catch (error) {
    if (error instanceof Invalid) return error
    throw error
  }
  return undefined
}
