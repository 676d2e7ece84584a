import { expect, test } from "vitest"
import { LineBudget } from "./lineBudget.js"

test("the lines of a second are limited, and the next second starts with the count of the omitted lines", () => {
  let now = 10_000
  const counts: number[] = []
  const budget = new LineBudget(
    2,
    () => now,
    () => {},
    (leftOut) => counts.push(leftOut),
  )
  expect([budget.take(), budget.take(), budget.take(), budget.take()]).toEqual([true, true, false, false])
  now = 11_000
  expect([budget.take(), counts]).toEqual([true, [2]])
  budget.flush()
  expect(counts).toEqual([2])
})

test("the count of a burst is reported at the end of its second, also where nothing follows", () => {
  const counts: number[] = []
  const timers: [number, () => void][] = []
  const after = (milliseconds: number, callback: () => void) => void timers.push([milliseconds, callback])
  const budget = new LineBudget(
    1,
    () => 10_250,
    after,
    (leftOut) => counts.push(leftOut),
  )
  for (let i = 0; i < 5; i++) budget.take()
  expect(timers.map(([milliseconds]) => milliseconds)).toEqual([750])
  timers[0]![1]()
  expect(counts).toEqual([4])
})
