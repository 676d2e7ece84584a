import { expect, test } from "vitest"
import { Memo } from "./memo.js"

test("the least recently used value is forgotten, and one of more than a quarter of the room is not stored", () => {
  const memo = new Memo(10_000)
  const value = (key: string) => ({ key })
  for (const key of ["a", "b", "c", "d", "e", "f", "g"]) expect(memo.keep(key, value(key), 500)).toEqual(value(key))
  expect(memo.known("a")).toEqual(value("a"))
  memo.keep("h", value("h"), 500)
  memo.keep("large", value("large"), 1_300)
  expect(["a", "b", "c", "h", "large"].map((key) => memo.known(key))).toEqual([
    value("a"),
    undefined,
    value("c"),
    value("h"),
    undefined,
  ])
})

test("texts that recur are made once, and those of a kind take a sixteenth of the bound at most", () => {
  const memo = new Memo(16 * 500)
  let count = 0
  const text = (kind: string, value: string) => memo.text(kind, value, () => `${++count}`)
  expect(["a", "b", "a", "b", "c", "b", "a"].map((value) => text("kind", value))).toEqual(["1", "2", "1", "2", "3", "2", "4"])
  expect(text("other", "b")).toBe("5")
})
