import { expect, test } from "vitest"
import { avaxText, durationText, nanosOf, secondsOf, shortened, utcText, visibleText } from "../../src/page/data/format.js"
import { parseJson, printJson } from "../../src/page/data/rpc.js"

test.each([
  [0n, "0"],
  [1n, "0.000000001"],
  [99_999n, "0.000099999"],
  [100_000n, "0.0001"],
  [1_500_000_000n, "1.5"],
  [1_234_567_890_123n, "1,234.5678…"],
  [19_999_999_999_999_999n, "19,999,999.9999…"],
])("%s nAVAX is shown as %s AVAX, never as more than there is", (nanos, text) => {
  expect(avaxText(nanos)).toBe(text)
  expect(avaxText(nanos, true)).toBe(text === "1,234.5678…" ? "1,234.567890123" : text.replace("9999…", "999999999"))
})

test.each([
  ["10", 10_000_000_000n],
  ["12.5", 12_500_000_000n],
  ["1,000", 1_000_000_000_000n],
  [".000000001", 1n],
  ["0.0000000001", undefined],
  ["-1", undefined],
  ["ten", undefined],
  ["", undefined],
  [".", undefined],
])("%j in a field is %s nAVAX", (text, nanos) => {
  expect(nanosOf(text)).toBe(nanos)
})

test("durations and times are written for people", () => {
  expect([durationText(0), durationText(61), durationText(1_209_600), durationText(90_061, 1)]).toEqual([
    "0 seconds",
    "1 minute 1 second",
    "14 days",
    "1 day",
  ])
  expect([secondsOf("1721016000"), secondsOf("2024-07-15T04:00:00Z")]).toEqual([1_721_016_000, 1_721_016_000])
  expect(utcText(1_721_016_000)).toBe("2024-07-15 04:00:00 UTC")
  expect(shortened("NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg")).toBe("NodeID-7…bSt3Lg")
})

test("integers past 2^53 are printed as they are, in requests and answers", () => {
  expect(printJson({ amount: 2n ** 64n - 1n, text: "5" })).toBe('{"amount":18446744073709551615,"text":"5"}')
  // Node 20 does not pass the source of a number, and rounds it; browsers since 2025 do pass it.
  expect(parseJson('{"amount":5,"list":[1.5,"x",null]}')).toEqual({ amount: 5, list: [1.5, "x", null] })
})

test("characters that cannot be seen, or that change the direction of text, are written out; all others stay", () => {
  expect(visibleText("a\u202eb\u0000\u200b\u2028\ufeff<b>é 漢 🏔</b>")).toBe(
    "a\\u{202e}b\\u{0}\\u{200b}\\u{2028}\\u{feff}<b>é 漢 🏔</b>",
  )
})
