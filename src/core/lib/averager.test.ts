import { expect, test } from "vitest"
import { Averager } from "./averager.js"

test("values of the same moment count the same", () => {
  const averager = new Averager(5, 1_000, 0)
  averager.observe(1, 0)
  averager.observe(0, 0)
  expect(averager.average).toBe(2)
})

test("a value counts half after every half-life", () => {
  const averager = new Averager(1, 1_000, 0)
  averager.observe(0, 1_000)
  expect(averager.average).toBeCloseTo(0.5 / 1.5)
  averager.observe(0, 2_000)
  expect(averager.average).toBeCloseTo(0.25 / 1.75)
})

test("a value from before the last one counts less", () => {
  const averager = new Averager(0, 1_000, 1_000)
  averager.observe(1, 0)
  expect(averager.average).toBeCloseTo(0.5 / 1.5)
})
