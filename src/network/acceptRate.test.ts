import { expect, test } from "vitest"
import { AcceptRate } from "./acceptRate.js"

test("a second's worth of connections is taken at once, the others one after the other", () => {
  const rate = new AcceptRate(2, 0)
  expect([0, 0, 0, 0, 0].map((now) => rate.take(now))).toEqual([0, 0, 0, 500, 1_000])
})

test("a second without connections is not saved for later", () => {
  const rate = new AcceptRate(2, 0)
  for (let i = 0; i < 3; i++) rate.take(0)
  expect([60_000, 60_000, 60_000, 60_000].map((now) => rate.take(now))).toEqual([0, 0, 0, 500])
})

test("with a rate of zero a single connection is taken, ever", () => {
  const rate = new AcceptRate(0, 0)
  expect([rate.take(0), rate.take(1e9)]).toEqual([0, Number.POSITIVE_INFINITY])
})
