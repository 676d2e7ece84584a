import { expect, test } from "vitest"
import { LineBudget } from "./lineBudget.js"

test("a second has so many lines, and the next one starts with the count of what was left out", () => {
  let now = 10_000
  const counts: number[] = []
  const budget = new LineBudget(
    2,
    () => now,
    (leftOut) => counts.push(leftOut),
  )
  expect([budget.take(), budget.take(), budget.take(), budget.take()]).toEqual([true, true, false, false])
  now = 11_000
  expect([budget.take(), counts]).toEqual([true, [2]])
  budget.flush()
  expect(counts).toEqual([2])
})
