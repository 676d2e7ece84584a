import { expect, test } from "vitest"
import { compiledLater } from "./struct.js"

function adder() {
  const counts = { compiled: 0 }
  const add = compiledLater("add", () => {
    counts.compiled++
    return (a: number, b: number) => a + b
  })
  return { counts, add }
}

test("a method is compiled at its first call, once for an object and its copies, which then have the compiled one", () => {
  const { counts, add } = adder()
  const original = { add }
  const copy = { ...original }
  expect(counts.compiled).toBe(0)
  expect([original.add(1, 2), original.add(3, 4), copy.add(5, 6)]).toEqual([3, 7, 11])
  expect(counts.compiled).toBe(1)
  expect(original.add).not.toBe(add)
  expect(copy.add).toBe(original.add)
})

test("a method that is called without its object, or through another one, changes nothing there", () => {
  const { add } = adder()
  const other = { add: (a: number, b: number) => a * b, addInstead: add }
  expect([add(1, 2), other.addInstead(1, 2), other.add(3, 4)]).toEqual([3, 3, 12])
  expect(other.addInstead).toBe(add)
})
