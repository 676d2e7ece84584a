import { expect, test } from "vitest"
import { parseRfc3339, printRfc3339 } from "./rfc3339.js"

// Recorded from Go 1.26's time.Time.UnmarshalJSON.
test("times are read as leniently as Go reads them", () => {
  const times: readonly [text: string, nanoseconds: bigint][] = [
    ["2020-12-05T05:00:00Z", 1_607_144_400_000_000_000n],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000_000_000n],
    ["9999-12-01T00:00:00Z", 253_399_622_400_000_000_000n],
    ["2020-12-05T06:30:00+01:30", 1_607_144_400_000_000_000n],
    ["2020-12-04T22:00:00-07:00", 1_607_144_400_000_000_000n],
    ["2020-12-05T5:00:00,5Z", 1_607_144_400_500_000_000n],
    ["2020-12-05T05:00:00.1234567899Z", 1_607_144_400_123_456_789n],
    ["2024-02-29T00:00:00+24:60", 1_709_074_800_000_000_000n],
  ]
  for (const [text, nanoseconds] of times) expect([text, parseRfc3339(text)]).toEqual([text, nanoseconds])
})

test("a text that is no RFC 3339 time is refused", () => {
  const texts = [
    "",
    "2020-12-05",
    "2020-12-05 05:00:00Z",
    "2020-12-05t05:00:00Z",
    "2020-12-05T05:00:00z",
    "2020-12-05T05:00:00",
    "2020-12-05T24:00:00Z",
    "2020-12-05T05:00:60Z",
    "2023-02-29T00:00:00Z",
    "2020-00-05T05:00:00Z",
    "2020-12-05T05:00:00.Z",
    "2020-12-05T05:00:00+0100",
    "2020-12-05T05:00:00+25:00",
    "1607144400",
  ]
  for (const text of texts) expect([text, parseRfc3339(text)]).toEqual([text, undefined])
})

test("times are printed in UTC without a fraction", () => {
  expect([1_607_144_400n, -62_135_596_800n, 253_399_622_400n].map(printRfc3339)).toEqual([
    "2020-12-05T05:00:00Z",
    "0001-01-01T00:00:00Z",
    "9999-12-01T00:00:00Z",
  ])
})
