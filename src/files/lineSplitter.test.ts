import { expect, test } from "vitest"
import { LineSplitter } from "./lineSplitter.js"

const tooLong = (line: number) => new Error(`line ${line}`)
const linesOf = (pieces: readonly string[], limit = 100): string[] => {
  const splitter = new LineSplitter(limit, tooLong)
  return [...pieces.flatMap((piece) => splitter.feed(piece)), splitter.end()]
}

test("lines are the same wherever the text is cut", () => {
  const text = "one\n\ntwo three\nfour"
  for (let at = 0; at <= text.length; at++) {
    expect(linesOf([text.slice(0, at), text.slice(at)])).toEqual(text.split("\n"))
  }
  expect(linesOf([...text])).toEqual(text.split("\n"))
  expect(linesOf([])).toEqual([""])
})

test("a line that is too long is refused by its number, also before it ends", () => {
  expect(linesOf(["ab\ncd", "e\nf"], 3)).toEqual(["ab", "cde", "f"])
  expect(() => linesOf(["ab\ncd", "e\nf"], 2)).toThrow("line 2")
  expect(() => new LineSplitter(2, tooLong).feed("a\nb\nccc")).toThrow("line 3")
})
