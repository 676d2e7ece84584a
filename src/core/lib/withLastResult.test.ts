import { expect, test } from "vitest"
import { withLastResult } from "./withLastResult.js"

test("a function is called once for equal arguments in a row", () => {
  const calls: bigint[] = []
  const double = withLastResult((value: bigint) => {
    calls.push(value)
    return value * 2n
  })
  expect([2n, 1n + 1n, 3n, 3n, 2n].map(double)).toEqual([4n, 4n, 6n, 6n, 4n])
  expect(calls).toEqual([2n, 3n, 2n])
})

test("a function that throws is called again, and an undefined result is remembered", () => {
  let calls = 0
  const first = withLastResult((text: string) => {
    calls++
    if (text === "") throw new Error("empty")
    return undefined
  })
  for (let i = 0; i < 2; i++) expect(() => first("")).toThrow("empty")
  expect([first("a"), first("a"), calls]).toEqual([undefined, undefined, 3])
})
