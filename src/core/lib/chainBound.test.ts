import { expect, test } from "vitest"
import { readBound } from "./chainBound.js"

test.each([
  ["100", "from", { kind: "height", value: 100n }],
  [100, "to", { kind: "height", value: 100n }],
  ["999999999", "from", { kind: "height", value: 999_999_999n }],
  ["1000000000", "from", { kind: "time", value: 1_000_000_000n }],
  [1_721_016_000n, "to", { kind: "time", value: 1_721_016_000n }],
  ["2027-01-01", "from", { kind: "time", value: 1_798_761_600n }],
  ["2027-12-31", "to", { kind: "time", value: 1_830_297_599n }],
  ["2027-01-01T00:00:00.9Z", "to", { kind: "time", value: 1_798_761_600n }],
  ["2027-01-01T01:00:00+01:00", "from", { kind: "time", value: 1_798_761_600n }],
] as const)("%s as the bound %s", (given, side, bound) => {
  expect(readBound(given, side)).toEqual(bound)
})

test.each(["", "-1", "1.5", "yesterday", "2027-02-30", "2027-1-1", "1969-12-31", "18446744073709551616", -1, 1.5, true, null])(
  "%s is none",
  (given) => {
    expect(readBound(given, "from")).toBeUndefined()
  },
)
