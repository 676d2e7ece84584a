import { expect, test } from "vitest"
import { goQuote, goQuoteCharacter } from "./goQuote.js"

test.each([
  ["bob", '"bob"'],
  ['a"b\\c', '"a\\"b\\\\c"'],
  ["\x07\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'],
  ["\x00\x01\x7f", '"\\x00\\x01\\x7f"'],
  ["\u0080\u00a0\u00ad\u200b\u2028\u3000\ufeff\uffff", '"\\u0080\\u00a0\\u00ad\\u200b\\u2028\\u3000\\ufeff\\uffff"'],
  ["\u{10ffff}", '"\\U0010ffff"'],
  ["é 名前 😀 \ufffd <b>&'`", '"é 名前 😀 \ufffd <b>&\'`"'],
  ["👩\u200d👧", '"👩\\u200d👧"'],
])("Go quotes %j as %s", (text, quoted) => {
  expect(goQuote(text)).toBe(quoted)
})

test("a single character is quoted with single quotes", () => {
  expect(["a", "'", '"', "\\", "\x07", "\x00", "é"].map(goQuoteCharacter)).toEqual([
    "'a'",
    "'\\''",
    "'\"'",
    "'\\\\'",
    "'\\a'",
    "'\\x00'",
    "'é'",
  ])
})

test("of a very long text the beginning is shown", () => {
  expect(goQuote("\u00ad".repeat(500_000))).toBe(`"${"\\u00ad".repeat(4096)}…"`)
})
