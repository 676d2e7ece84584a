import { expect, test } from "vitest"
import { RateLimit } from "./rateLimit.js"

/** The delays of arrivals at these times, one each, with a burst of a second. */
function delaysOf(perSecond: number, times: readonly number[]): number[] {
  const limit = new RateLimit({ perSecond, burst: perSecond + 1 }, 0)
  return times.map((now) => {
    limit.take(1, now)
    return limit.pauseMs(now)
  })
}

test("a second's worth of connections is taken at once, the others one after the other", () => {
  expect(delaysOf(2, [0, 0, 0, 0, 0])).toEqual([0, 0, 0, 500, 1_000])
})

test("a second without connections is not saved for later", () => {
  expect(delaysOf(2, [0, 0, 0, 60_000, 60_000, 60_000, 60_000]).slice(3)).toEqual([0, 0, 0, 500])
})

test("with a rate of zero a single connection is taken, ever", () => {
  expect(delaysOf(0, [0, 1e9])).toEqual([0, Number.POSITIVE_INFINITY])
})
