import { expect, test } from "vitest"
import { wrapLines } from "./help.js"

test("a line that fits stays as it is, and words are never broken", () => {
  expect(wrapLines("one two\n\n  three", 10)).toBe("one two\n\n  three")
  expect(wrapLines("a-word-that-is-longer-than-the-terminal and more", 10)).toBe(
    "a-word-that-is-longer-than-the-terminal\nand more",
  )
})

test("the rest of a line is indented like its beginning, or like its second column", () => {
  expect(wrapLines("  one two three four", 12)).toBe("  one two\n  three four")
  expect(wrapLines("  --flag N  one two three four", 22)).toBe("  --flag N  one two\n            three four")
})
