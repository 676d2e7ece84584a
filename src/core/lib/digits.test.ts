import { expect, test } from "vitest"
import { endOfDigits } from "./digits.js"

test("the end of digits is found in short and long numbers, at the end of the text, and where there are none", () => {
  const lengths = [0, 1, 39, 40, 41, 42, 1000, 100_000]
  for (const after of ["", ".5", "e1", ",", " ", "a"]) {
    const ends = lengths.map((length) => endOfDigits(`[-${"0123456789".repeat(10_000).slice(0, length)}${after}`, 2))
    expect(ends).toEqual(lengths.map((length) => length + 2))
  }
})
