import { expect, test } from "vitest"
import { escapeControls, escapeLine } from "./escapeControls.js"

test("control characters of a terminal are spelled out, and all else stays", () => {
  expect(escapeControls("\x1b[2J\x1b]0;pwned\x07\r\0\x7f\x9b")).toBe(
    "\\u001b[2J\\u001b]0;pwned\\u0007\\u000d\\u0000\\u007f\\u009b",
  )
  expect(escapeControls('a\tb\nc é 漢 🙂 \\ "')).toBe('a\tb\nc é 漢 🙂 \\ "')
  expect(escapeControls("\u202etxt\u2028\u2066")).toBe("\\u202etxt\\u2028\\u2066")
})

test("in JSON the escape is the character", () => {
  const text = "\x7f\x9b2J\u202e"
  expect(JSON.parse(escapeControls(JSON.stringify(text)))).toBe(text)
})

test("the text of a line stays on one line", () => {
  expect(escapeLine("a\tb\nc\r\n")).toBe("a\\tb\\nc\\u000d\\n")
})
